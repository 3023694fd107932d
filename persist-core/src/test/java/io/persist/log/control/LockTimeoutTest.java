package io.persist.log.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.MessageLogger;
import io.persist.PacketLogger;
import io.persist.StoreLogger;
import io.persist.error.LogLockedException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.file.disk.ProcessIdentity;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.HolderMark;
import io.persist.support.Resources;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An opening that waits for the writer before. */
@Timeout(120)
class LockTimeoutTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    /** Everything that takes the lock of a writer in order to write. */
    private enum Kind {
        MESSAGES(MessageLogger::open),
        MESSAGES_DETACHED(config -> MessageLogger.open(config, detached())),
        PACKETS(PacketLogger::open),
        PACKETS_DETACHED(config -> PacketLogger.open(config, detached())),
        STORE(config -> StoreLogger.open(StoreConfig.builder(config).build())),
        STORE_DETACHED(config -> StoreLogger.open(StoreConfig.builder(config).build(), detached()));

        private final Function<LogConfig, AutoCloseable> opening;

        Kind(Function<LogConfig, AutoCloseable> opening) {
            this.opening = opening;
        }

        private static DetachedConfig detached() {
            return DetachedConfig.builder().build();
        }
    }

    private LogConfig config(Duration lockTimeout) {
        return LogConfig.builder(directory)
                .segmentLength(64 << 10)
                .lockTimeout(lockTimeout)
                .build();
    }

    /** An opening that waits, on a thread of its own. */
    private static final class Opening {

        private final FutureTask<AutoCloseable> task;
        private final Thread thread;
        private volatile boolean isFlagUp;

        Opening(Kind kind, LogConfig config) {
            this(() -> kind.opening.apply(config));
        }

        Opening(Callable<AutoCloseable> opening) {
            task = new FutureTask<>(() -> {
                try {
                    return opening.call();
                } finally {
                    isFlagUp = Thread.currentThread().isInterrupted();
                }
            });
            thread = new Thread(task, "opening");
            thread.start();
            Await.until(
                    "the opening waits, or is over",
                    () -> task.isDone() || LockSupport.getBlocker(thread) instanceof LockWait);
            assertThat(task.isDone()).isFalse();
        }

        AutoCloseable opened() throws Exception {
            return task.get(1, TimeUnit.MINUTES);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldOpenOnceAWriterOfThisProcessHasClosedTheLog(Kind kind) throws Exception {
        AutoCloseable before = kind.opening.apply(config(Duration.ZERO));
        Opening next = new Opening(kind, config(LONG));
        before.close();
        next.opened().close();
    }

    @Test
    void shouldOpenOnceAnotherProcessHasClosedTheLog() throws Exception {
        try (ChildJvm writer = WriterProcess.start(directory)) {
            assertThat(writer.ask("open")).isEqualTo(WriterProcess.DONE);
            assertThat(writer.ask("append 3")).isEqualTo(WriterProcess.DONE);
            Opening next = new Opening(Kind.MESSAGES, config(LONG));
            assertThat(writer.ask("append 2")).isEqualTo(WriterProcess.DONE);
            assertThat(writer.ask("close")).isEqualTo(WriterProcess.DONE);
            try (MessageLogger opened = (MessageLogger) next.opened()) {
                assertThat(opened.lastSequence()).isEqualTo(5);
            }
        }
    }

    @Test
    void shouldOpenOnceAnotherProcessIsKilled() throws Exception {
        try (ChildJvm writer = WriterProcess.start(directory)) {
            assertThat(writer.ask("open")).isEqualTo(WriterProcess.DONE);
            assertThat(writer.ask("append 3")).isEqualTo(WriterProcess.DONE);
            Opening next = new Opening(Kind.MESSAGES, config(LONG));
            writer.kill();
            try (MessageLogger opened = (MessageLogger) next.opened()) {
                assertThat(opened.lastSequence()).isEqualTo(3);
            }
        }
    }

    /** As in the moment between the end of its locks and its own, when a process is killed. */
    @Test
    void shouldWaitForAHolderThatHasNoLockAnyMore() throws Exception {
        MessageLogger.open(config(Duration.ZERO)).close();
        try (ChildJvm writer = WriterProcess.start(directory)) {
            HolderMark.put(directory, ProcessIdentity.of(writer.pid()));
            Opening next = new Opening(Kind.MESSAGES, config(LONG));
            writer.kill();
            next.opened().close();
        }
    }

    @Test
    void shouldSayHowLongItHasWaited() throws Exception {
        try (ChildJvm writer = WriterProcess.start(directory)) {
            assertThat(writer.ask("open")).isEqualTo(WriterProcess.DONE);
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> MessageLogger.open(config(Duration.ofMillis(30))))
                    .withMessageMatching("log is open for writing elsewhere: directory=.*, pid=" + writer.pid()
                            + ", waited=PT[0-9.]+S; close it there first");
            assertThat(writer.ask("backup " + directory.resolve("backup"))).isEqualTo(WriterProcess.DONE);
            assertThatExceptionOfType(LogLockedException.class)
                    .as("its lock is gone")
                    .isThrownBy(() -> MessageLogger.open(config(Duration.ofMillis(30))))
                    .withMessageMatching("log is open for writing in another process, which has lost its lock:"
                            + " directory=.*, pid=" + writer.pid() + ", waited=PT[0-9.]+S; close .*");
            assertThatExceptionOfType(LogLockedException.class)
                    .as("without a wait")
                    .isThrownBy(() -> MessageLogger.open(config(Duration.ZERO)))
                    .withMessageNotContaining("waited");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldLeaveNothingBehindIfItIsInterrupted(Kind kind) throws Exception {
        Set<String> registered = registered();
        AutoCloseable before = kind.opening.apply(config(Duration.ZERO));
        Set<String> held = registered();
        Opening next = new Opening(kind, config(LONG));
        next.thread.interrupt();
        next.thread.join();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(next::opened)
                .havingCause()
                .isInstanceOf(LogLockedException.class)
                .withMessageMatching("log is open for writing elsewhere: .*, waited=PT[0-9.]+S until an interrupt;"
                        + " close it there first");
        assertThat(next.isFlagUp).isTrue();
        assertThat(registered()).isEqualTo(held);
        before.close();
        assertThat(registered()).isEqualTo(registered);
        assertThat(Resources.of(directory.toRealPath())).isEqualTo(Resources.NONE);
        kind.opening.apply(config(Duration.ZERO)).close();
    }

    private static Set<String> registered() {
        Set<String> names = new TreeSet<>(System.getProperties().stringPropertyNames());
        names.removeIf(name -> !name.startsWith("io.persist.lock."));
        return names;
    }

    /** The flag alone harms nobody who finds the log free. */
    @Test
    void shouldOpenAFreeLogWithTheFlagUp() {
        Thread.currentThread().interrupt();
        try (MessageLogger logger = MessageLogger.open(config(LONG))) {
            logger.append("hello".getBytes(UTF_8));
            logger.commit(Durability.SYNCED);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** What is asked of the files of a log, or of those of checkpoints. */
    private record Asked(Storage storage, ConcurrentLinkedQueue<String> what) implements ForwardingStorage {

        @Override
        public WriterLock tryLock(String name) throws IOException {
            what.add("lock " + name);
            return storage.tryLock(name);
        }

        @Override
        public List<String> list() throws IOException {
            what.add("list");
            return storage.list();
        }

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            what.add("open " + name);
            return storage.open(name, access);
        }
    }

    @Test
    void shouldLookAtNothingOfAStoreBeforeItHasTheLock() throws Exception {
        CrashableStorage storage = new CrashableStorage();
        StoreConfig config = StoreConfig.builder(config(LONG)).build();
        StoreLogger before = StoreLogger.open(config, storage, storage);
        before.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
        before.checkpoint();
        ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
        Storage seen = new Asked(storage, asked);
        Opening next = new Opening(() -> StoreLogger.open(config, seen, seen));
        assertThat(asked).isNotEmpty().allMatch(what -> what.equals("lock writer.lock"));
        before.close();
        try (StoreLogger opened = (StoreLogger) next.opened()) {
            assertThat(opened.get("key".getBytes(UTF_8))).isNotNull();
        }
    }

    @Test
    void shouldRefuseANegativeTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(Duration.ofSeconds(-1)))
                .withMessage("lockTimeout=PT-1S, min=PT0S");
        assertThat(config(DetachedConfig.FOREVER).lockTimeout()).isEqualTo(DetachedConfig.FOREVER);
    }
}
