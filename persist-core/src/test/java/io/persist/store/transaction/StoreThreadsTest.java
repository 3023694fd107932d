package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.support.Await;
import io.persist.support.InMemory;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many threads at once, on real files, with checkpoints and compaction in the background, and interrupts all the time.
 * Each writer has keys of its own, with a counter as their value that only grows; so each read can be judged. Two keys
 * of each transaction always have the same counter, also in what scans and snapshots see.
 */
public class StoreThreadsTest {

    private static final int WRITERS = 3;
    private static final int READERS = 2;
    private static final int COMMITS = 1500;
    private static final int KEYS = 40;
    private static final int PADDING = 600;

    public enum Kind {
        MAPPED(WriteMode.MAPPED, false),
        FILE(WriteMode.FILE, false),
        DETACHED(WriteMode.MAPPED, true);

        final WriteMode mode;
        final boolean isDetached;

        Kind(WriteMode mode, boolean isDetached) {
            this.mode = mode;
            this.isDetached = isDetached;
        }

        public StoreLogger open(Path directory) {
            LogConfig log = LogConfig.builder(directory)
                    .segmentLength(64 << 10)
                    .writeMode(mode)
                    .build();
            StoreConfig config = StoreConfig.builder(log)
                    .checkpointMinLogBytes(100_000)
                    .checkpointPercent(1)
                    .maxSpaceRatio(1.5)
                    .compactionStepBytes(4096)
                    .build();
            return isDetached
                    ? StoreLogger.open(
                            config, DetachedConfig.builder().queueDepth(64).build())
                    : StoreLogger.open(config);
        }
    }

    @TempDir(factory = InMemory.class)
    Path directory;

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean over = new AtomicBoolean();

    /** The counter that each writer has committed for each of its pairs of keys. */
    private final long[][] committed = new long[WRITERS][KEYS];

    private static byte[] key(int writer, int key, char half) {
        return Texts.bytes("writer-" + writer + "-key-" + (100 + key) + half);
    }

    private static byte[] value(long counter) {
        return ByteBuffer.allocate(PADDING).putLong(0, counter).array();
    }

    private static long counter(@Nullable ByteBuffer value) {
        return value == null ? 0 : Long.reverseBytes(value.getLong(value.position()));
    }

    private void run(Runnable body) {
        try {
            body.run();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    private void write(StoreLogger store, int writer, Random random) {
        for (int i = 0; i < COMMITS && failure.get() == null; i++) {
            int key = random.nextInt(KEYS);
            long counter = committed[writer][key] + 1;
            Transaction transaction = store.begin();
            transaction.put(key(writer, key, 'a'), value(counter));
            transaction.put(key(writer, key, 'b'), value(counter));
            if (random.nextInt(20) == 0) {
                transaction.rollback();
                counter--;
            } else {
                int level = random.nextInt(40);
                transaction.commit(
                        level == 0 ? Durability.SYNCED : level < 5 ? Durability.FLUSHED : Durability.BUFFERED);
            }
            committed[writer][key] = counter;
            long seen = counter(store.get(key(writer, key, random.nextBoolean() ? 'a' : 'b')));
            if (seen != counter) {
                throw new AssertionError("writer " + writer + " wrote " + counter + " and read " + seen);
            }
        }
    }

    private void read(StoreLogger store, Random random) {
        long[][] known = new long[WRITERS][KEYS];
        while (!over.get() && failure.get() == null) {
            for (int i = 0; i < 200; i++) {
                int writer = random.nextInt(WRITERS);
                int key = random.nextInt(KEYS);
                long now = counter(store.get(key(writer, key, random.nextBoolean() ? 'a' : 'b')));
                if (now < known[writer][key]) {
                    throw new AssertionError("read " + now + " after " + known[writer][key]);
                }
                known[writer][key] = now;
            }
            scan(store, Direction.values()[random.nextInt(2)]);
            look(store);
        }
    }

    /** Neighbours in the order of the keys were changed together. */
    private static void scan(StoreLogger store, Direction direction) {
        try (StoreScan scan = store.scan(KeyRange.prefix(Texts.bytes("writer-")), direction)) {
            while (scan.next()) {
                long one = counter(scan.value());
                if (!scan.next() || counter(scan.value()) != one) {
                    throw new AssertionError("half of a transaction: " + Texts.text(scan.key()) + " has not " + one);
                }
            }
        }
    }

    private static void look(StoreLogger store) {
        try (StoreSnapshot snapshot = store.snapshot()) {
            long size = snapshot.size();
            long one = counter(snapshot.get(key(0, 0, 'a')));
            Thread.yield();
            if (snapshot.size() != size || counter(snapshot.get(key(0, 0, 'b'))) != one || size % 2 != 0) {
                throw new AssertionError("a snapshot has changed");
            }
        }
        StoreStatistics numbers = store.statistics();
        if (numbers.keys() > 2 * WRITERS * KEYS || numbers.liveBytes() > numbers.spaceBytes()) {
            throw new AssertionError(numbers.toString());
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldServeManyThreadsAtOnce(Kind kind) {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            over.set(false);
            try (StoreLogger store = kind.open(directory)) {
                List<Thread> writers = new ArrayList<>();
                List<Thread> others = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    int writer = i;
                    long own = random.nextLong();
                    writers.add(new Thread(() -> run(() -> write(store, writer, new Random(own)))));
                }
                for (int i = 0; i < READERS; i++) {
                    long own = random.nextLong();
                    others.add(new Thread(() -> run(() -> read(store, new Random(own)))));
                }
                writers.forEach(Thread::start);
                others.forEach(Thread::start);
                torment(writers, others);
                others.forEach(StoreThreadsTest::join);
                assertThat(failure.get()).isNull();
                Await.until("checkpoints were written and segments taken away", () -> hasWorked(store));
                check(store);
            }
            try (StoreLogger store = kind.open(directory)) {
                assertThat(store.recovery().checkpoint().file()).isNotEmpty();
                check(store);
            }
        });
    }

    /** Commits what the background needs to notice that it has something to do. */
    private boolean hasWorked(StoreLogger store) {
        StoreStatistics numbers = store.statistics();
        assertThat(numbers.checkpoint().failures()).isZero();
        assertThat(numbers.compaction().lastFailure()).isEmpty();
        if (numbers.checkpoint().written() > 1 && numbers.compaction().vacatedSegments() > 0) {
            return true;
        }
        write(store, 0, new Random(numbers.logBytes()));
        return false;
    }

    /** Until the writers are done, interrupts all threads of the test and of the store. */
    private void torment(List<Thread> writers, List<Thread> others) {
        List<Thread> all = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tend "))
                .collect(Collectors.toCollection(ArrayList::new));
        assertThat(all).isNotEmpty();
        all.addAll(writers);
        all.addAll(others);
        while (writers.stream().anyMatch(Thread::isAlive)) {
            all.forEach(Thread::interrupt);
            LockSupport.parkNanos(50_000);
        }
        over.set(true);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void check(StoreLogger store) {
        long keys = 0;
        for (int writer = 0; writer < WRITERS; writer++) {
            for (int key = 0; key < KEYS; key++) {
                long counter = committed[writer][key];
                assertThat(counter(store.get(key(writer, key, 'a')))).isEqualTo(counter);
                assertThat(counter(store.get(key(writer, key, 'b')))).isEqualTo(counter);
                keys += counter == 0 ? 0 : 2;
            }
        }
        assertThat(store.size()).isEqualTo(keys);
        scan(store, Direction.FORWARD);
        Await.until(
                "no snapshot is open, not even that of a checkpoint",
                () -> store.statistics().openSnapshots() == 0);
    }
}
