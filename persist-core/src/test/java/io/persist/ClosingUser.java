package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A user whose main thread closes what his other threads are using. */
final class ClosingUser {

    private static final String LOGGER = "logger is closed";
    private static final String TAILER = "tailer is closed";

    /** How much is done before the last of some lives is closed, in the unit of whatever it does. */
    private static final int MOST = 150;

    private final Path directory;

    /** How often each of them closes: a little later each time. */
    private final int lives;

    private int logs;

    private ClosingUser(Path directory, int lives) {
        this.directory = directory;
        this.lives = lives;
    }

    public static void main(String[] args) throws Exception {
        ClosingUser user = new ClosingUser(Path.of(args[0]), Integer.parseInt(args[1]));
        user.usesWhatIsClosed();
        say("an appender in MAPPED mode", user.closesUnderAnAppender(WriteMode.MAPPED, Integer.MAX_VALUE, null));
        say("an appender in FILE mode", user.closesUnderAnAppender(WriteMode.FILE, Integer.MAX_VALUE, null));
        say("an appender that syncs", user.closesUnderAnAppender(WriteMode.FILE, 5, null));
        say(
                "an appender with a lock",
                user.closesUnderAnAppender(WriteMode.MAPPED, Integer.MAX_VALUE, new ReentrantLock()));
        say("an appender in a virtual thread", user.closesUnderAVirtualThread());
        say("a reader of MAPPED segments", user.closesUnderAReader(ReadMode.MAPPED));
        say("a reader of files", user.closesUnderAReader(ReadMode.FILE));
        say("a reader in its handler", user.closesUnderAHandler());
        say("a reader of changes", user.closesUnderAReaderOfChanges());
        say("two that close", user.closesTwice());
    }

    private static void say(String what, boolean isRight) {
        System.out.println(what + ": " + (isRight ? "right" : "wrong"));
    }

    private LogConfig.Builder config() {
        return LogConfig.builder(directory.resolve("log " + logs)).segmentLength(1 << 14);
    }

    private static byte[] message(long number) {
        return ("message " + number).getBytes(UTF_8);
    }

    /** Not asleep, which would be long, and not in the way of the log's threads, if there is no CPU for each. */
    private static void pauseUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.yield();
        }
    }

    private int share(int life) {
        return life * MOST / lives;
    }

    /** Runs {@code use} again and again until it throws; returns the thread, and what was thrown in the end. */
    private static Thread start(Runnable use, AtomicReference<Throwable> end) {
        Thread thread = new Thread(untilItThrows(use, end));
        thread.start();
        return thread;
    }

    /** The same in a virtual thread, where there are such. */
    private static Thread startVirtual(Runnable use, AtomicReference<Throwable> end) {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) start.invoke(null, untilItThrows(use, end));
        } catch (ReflectiveOperationException none) {
            return start(use, end);
        }
    }

    private static Runnable untilItThrows(Runnable use, AtomicReference<Throwable> end) {
        return () -> {
            try {
                while (true) {
                    use.run();
                }
            } catch (Throwable e) {
                end.set(e);
            }
        };
    }

    private static boolean isClosed(AtomicReference<Throwable> end, String message) {
        Throwable thrown = end.get();
        if (thrown instanceof IllegalStateException && message.equals(thrown.getMessage())) {
            return true;
        }
        System.out.println("ended by " + thrown);
        return false;
    }

    private void usesWhatIsClosed() {
        MessageLogger logger = MessageLogger.open(config().build());
        logger.append(message(1));
        logger.close();
        try {
            logger.append(message(2));
        } catch (IllegalStateException e) {
            System.out.println("used after close: " + e.getMessage());
        }
    }

    private boolean closesUnderAnAppender(WriteMode mode, int perSync, ReentrantLock lock) throws Exception {
        boolean isRight = true;
        for (int life = 0; life < lives && isRight; life++) {
            logs++;
            LogConfig.Builder config = config().writeMode(mode);
            MessageLogger logger = MessageLogger.open(
                    lock == null ? config.build() : config.guardedBy(lock).build());
            AtomicLong appended = new AtomicLong();
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread worker = start(() -> append(logger, appended, perSync, lock), end);
            int enough = share(life) * 20;
            pauseUntil(() -> appended.get() >= enough || end.get() != null);
            logger.close();
            worker.join();
            isRight = isClosed(end, LOGGER) && hasAll(mode, appended.get());
        }
        return isRight;
    }

    /** It appends, and sleeps, so that it is on a thread of the system's at one time and on none at another. */
    private boolean closesUnderAVirtualThread() throws Exception {
        boolean isRight = true;
        for (int life = 0; life < lives && isRight; life++) {
            logs++;
            MessageLogger logger = MessageLogger.open(config().build());
            AtomicLong appended = new AtomicLong();
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread worker = startVirtual(
                    () -> {
                        append(logger, appended, 10, null);
                        if (appended.get() % 5 == 0) {
                            LockSupport.parkNanos(1000);
                        }
                    },
                    end);
            int enough = share(life);
            pauseUntil(() -> appended.get() >= enough || end.get() != null);
            logger.close();
            worker.join();
            isRight = isClosed(end, LOGGER) && hasAll(WriteMode.MAPPED, appended.get());
        }
        return isRight;
    }

    private static void append(MessageLogger logger, AtomicLong appended, int perSync, ReentrantLock lock) {
        if (lock != null) {
            lock.lock();
        }
        try {
            logger.append(message(appended.get() + 1));
            long count = appended.incrementAndGet();
            if (count % perSync == 0) {
                logger.commit(Durability.SYNCED);
            }
        } finally {
            if (lock != null) {
                lock.unlock();
            }
        }
    }

    /** That the log was closed cleanly and has the {@code count} messages that were accepted. */
    private boolean hasAll(WriteMode mode, long count) {
        try (MessageLogger again = MessageLogger.open(config().writeMode(mode).build());
                Tailer tailer = again.tailer()) {
            long found = 0;
            while (tailer.next()) {
                found++;
                if (!new String(tailer.payloadBytes(), UTF_8).equals("message " + found)) {
                    System.out.println("wrong message " + found);
                    return false;
                }
            }
            boolean isRight = found == count && again.recovery().start() == Left.CLOSED;
            if (!isRight) {
                System.out.println("found=" + found + ", appended=" + count + ", "
                        + again.recovery().describe());
            }
            return isRight;
        }
    }

    private void write(int count) {
        logs++;
        try (MessageLogger logger = MessageLogger.open(config().build())) {
            for (int i = 1; i <= count; i++) {
                logger.append(message(i));
            }
        }
    }

    private boolean closesUnderAReader(ReadMode mode) throws Exception {
        write(3000);
        boolean isRight = true;
        for (int life = 0; life < lives && isRight; life++) {
            Tailer tailer = Tailer.open(
                    config().build().directory(),
                    TailerConfig.builder().readMode(mode).build());
            AtomicLong read = new AtomicLong();
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread reader = start(() -> read(tailer, read), end);
            int enough = share(life) * 50;
            pauseUntil(() -> read.get() >= enough || end.get() != null);
            tailer.close();
            reader.join();
            isRight = isClosed(end, TAILER);
        }
        return isRight;
    }

    private static void read(Tailer tailer, AtomicLong read) {
        if (tailer.next()) {
            String expected = "message " + tailer.sequence();
            if (!new String(tailer.payloadBytes(), UTF_8).equals(expected)) {
                throw new AssertionError("wrong: " + expected);
            }
            read.incrementAndGet();
        } else {
            tailer.toStart();
        }
    }

    /** The handler waits for the very thread that closes, and has its record all the time. */
    private boolean closesUnderAHandler() throws Exception {
        write(10);
        Tailer tailer = Tailer.open(config().build().directory());
        CountDownLatch handles = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread reader = start(
                () -> tailer.poll(
                        (position, sequence, payload) -> {
                            handles.countDown();
                            await(closed);
                            String found = UTF_8.decode(payload).toString();
                            if (!found.equals("message " + sequence)) {
                                throw new AssertionError("wrong after close: " + found);
                            }
                        },
                        10),
                end);
        await(handles);
        tailer.close();
        closed.countDown();
        reader.join();
        return isClosed(end, TAILER);
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("waited in vain");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private boolean closesUnderAReaderOfChanges() throws Exception {
        logs++;
        StoreConfig config = StoreConfig.builder(config().build())
                .oldValues(OldValues.RECORD)
                .maxSpaceRatio(0) // compaction would take the changes away
                .build();
        boolean isRight = true;
        try (StoreLogger store = StoreLogger.open(config)) {
            for (int i = 0; i < 2000; i++) {
                store.put(message(i % 10), message(i));
            }
            for (int life = 0; life < lives && isRight; life++) {
                AtomicLong read = new AtomicLong();
                boolean isOwn = life % 2 == 0; // or as another process opens it
                ChangeReader changes = isOwn
                        ? store.changes(0)
                        : ChangeReader.open(config.log().directory(), 0);
                AtomicReference<Throwable> end = new AtomicReference<>();
                Thread reader = start(
                        () -> {
                            if (changes.next()) {
                                changes.oldValue();
                                read.incrementAndGet();
                            }
                        },
                        end);
                int enough = share(life) * 10;
                pauseUntil(() -> read.get() >= enough || end.get() != null);
                changes.close();
                reader.join();
                isRight = isClosed(end, "change reader is closed");
            }
        }
        return isRight;
    }

    private boolean closesTwice() throws Exception {
        boolean isRight = true;
        for (int life = 0; life < lives && isRight; life++) {
            logs++;
            MessageLogger logger = MessageLogger.open(config().build());
            logger.append(message(1));
            Thread other = new Thread(logger::close);
            other.start();
            logger.close();
            isRight = hasAll(WriteMode.MAPPED, 1); // closed, whoever did it
            other.join();
        }
        return isRight;
    }
}
