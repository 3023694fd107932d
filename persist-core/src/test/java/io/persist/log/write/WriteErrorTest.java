package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors, such as the end of memory, where the appending thread writes to a file. */
class WriteErrorTest {

    private static final int RECORDS = 200;

    @TempDir(factory = InMemory.class)
    Path directory;

    /** The thread may have asked whether the log is writable right before that. */
    @Test
    void shouldSayThatTheLogHasFailedAndNotWhoMayUseIt() {
        Log log = Log.open(WriterKind.MAPPED.config().build(), new CrashableStorage());
        log.guardedBy(() -> {
            log.fail("test", new IOException("injected"));
            return false;
        });
        assertThat(catchThrowable(() -> Records.append(log)))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("injected");
        assertThat(catchThrowable(log::close)).isInstanceOf(LogIOException.class);
    }

    /** The same of a log that is being closed. */
    @Test
    void shouldSayThatTheLogIsClosedAndNotWhoMayUseIt() {
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), new CrashableStorage())) {
            log.guardedBy(() -> {
                log.positions().beginClose();
                return false;
            });
            assertThat(catchThrowable(() -> Records.append(log)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("logger is closed");
        }
    }

    /** Who goes on after an error appends to a log that has taken what it said, or to none. */
    @ParameterizedTest
    @EnumSource(
            value = WriterKind.class,
            names = {"FILE_RW", "FILE_RWD"})
    void shouldEndTheLogWhateverAWriteFailsWith(WriterKind kind) {
        boolean struck = true;
        for (int n = 1; struck; n++) {
            CrashableStorage storage = new CrashableStorage();
            Log log = Log.open(kind.config().build(), storage);
            AtomicReference<String> where = new AtomicReference<>();
            int[] left = {n};
            Thread appender = Thread.currentThread();
            storage.hook((number, what) -> {
                if (Thread.currentThread() == appender && what.startsWith("write ") && --left[0] == 0) {
                    where.set(what);
                    throw new OutOfMemoryError("injected");
                }
            });
            Throwable first = null;
            for (int i = 1; i <= RECORDS; i++) {
                Throwable end = catchThrowable(() -> {
                    Records.append(log);
                    log.commit(Durability.FLUSHED);
                });
                first = first == null ? end : first;
                assertThat(end).as("record %d, after %s", i, where).isSameAs(first);
            }
            struck = where.get() != null;
            if (struck) {
                assertThat(first).isInstanceOf(LogIOException.class).hasRootCauseMessage("injected");
            }
            assertThat(catchThrowable(log::close) != null).isEqualTo(struck);
            try (Log again = Log.open(kind.config().build(), storage.afterKill())) {
                assertThat(Records.readAll(again)).isGreaterThanOrEqualTo(struck ? 0 : RECORDS);
            }
        }
    }

    /** Then there is none for an exception either. */
    private static final class NoMemory extends OutOfMemoryError {

        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new OutOfMemoryError("no memory for a text");
        }
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldTellThoseThatWaitEvenIfThereIsNoMemoryForIt(WriterKind kind) {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(kind.config().build(), storage);
        CompletableFuture<Long> far = log.reached(1L << 40, Durability.SYNCED);
        storage.hook((number, what) -> {
            throw new NoMemory();
        });
        Throwable first = catchThrowable(() -> {
            Records.append(log, 1); // now: before, the one who waits might have had it synced
            log.commit(Durability.SYNCED);
        });
        assertThat(first).isInstanceOf(LogIOException.class).hasMessageContaining("out of memory");
        assertThat(catchThrowable(() -> Records.append(log, 1))).isSameAs(first);
        assertThat(catchThrowable(far::join)).hasCause(first);
        assertThat(catchThrowable(log::close))
                .isInstanceOf(LogIOException.class)
                .hasCause(first);
    }

    /** Then there is none for a text either. */
    private static final class NoStack extends StackOverflowError {

        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new StackOverflowError("no stack for a text");
        }
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldSayThatThereWasNoStack(WriterKind kind) {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(kind.config().build(), storage);
        Records.append(log, 1);
        storage.hook((number, what) -> {
            throw new NoStack();
        });
        Throwable first = catchThrowable(log::sync);
        assertThat(first)
                .isInstanceOf(LogIOException.class)
                .hasMessageStartingWith("out of stack, the log takes no more records")
                .hasCauseInstanceOf(StackOverflowError.class);
        assertThat(catchThrowable(log::close))
                .isInstanceOf(LogIOException.class)
                .hasCause(first);
    }

    /** A record that is longer than the write buffer needs a longer one, before anything else is done. */
    @Test
    void shouldGoOnAfterThereWasNoMemoryForALongRecord() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("24m", LongRecord.class, directory))) {
            assertThat(child.hear()).isEqualTo("OutOfMemoryError, then 6 records");
        }
    }

    static final class LongRecord {

        private static final int SEGMENT_LENGTH = 32 << 20;

        public static void main(String[] arguments) {
            LogConfig config = LogConfig.builder(Path.of(arguments[0]))
                    .segmentLength(SEGMENT_LENGTH)
                    .writeMode(WriteMode.FILE)
                    .build();
            Throwable refused;
            try (Log log = Log.open(config)) {
                Records.append(log, 3);
                refused = catchThrowable(() -> log.claim(SEGMENT_LENGTH - 1024));
                Records.append(log, 3);
            }
            try (Log log = Log.open(config)) {
                System.out.println(refused.getClass().getSimpleName() + ", then " + Records.readAll(log) + " records");
            }
        }
    }

    /** A segment that was left out would be a hole, behind which nothing can be read. */
    @Test
    void shouldLoseNothingThatIsCommittedAfterMemoryWasFull() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("24m", FullMemory.class, directory))) {
            for (int round = 0; round < FullMemory.ROUNDS; round++) {
                String heard = child.hear();
                assertThat(heard).as("round %d", round).isIn("all is there", "the log has failed");
            }
        }
    }

    static final class FullMemory {

        static final int ROUNDS = 8;

        private static final int RECORD = 1000;

        public static void main(String[] arguments) {
            Object[] ballast = new Object[500_000];
            for (int round = 0; round < ROUNDS; round++) {
                Path directory = Path.of(arguments[0], "round-" + round);
                LogConfig config = LogConfig.builder(directory)
                        .segmentLength(16 << 10)
                        .writeMode(WriteMode.values()[round % 2])
                        .build();
                System.out.println(fillWhileFull(config, ballast));
            }
        }

        private static String fillWhileFull(LogConfig config, Object[] ballast) {
            Log log = Log.open(config);
            append(log, 30);
            log.commit(Durability.SYNCED);
            byte[] record = new byte[RECORD];
            append(log, null); // what is thrown is caught here once, while there is memory
            Arrays.fill(ballast, null); // and this class is found
            fill(ballast);
            Throwable full = append(log, record);
            Arrays.fill(ballast, null);
            Throwable after = catchThrowable(() -> {
                append(log, 50);
                log.commit(Durability.SYNCED);
            });
            long last = log.lastSequence();
            Throwable closed = catchThrowable(log::close);
            if (after != null) {
                return after instanceof LogIOException ? "the log has failed" : after + " came after " + full;
            }
            try (Tailer tailer = Tailer.open(config.directory())) {
                long read = 0;
                while (tailer.next()) {
                    read = tailer.sequence();
                }
                return read == last ? "all is there" : "read=" + read + ", committed=" + last + ", close: " + closed;
            } catch (RuntimeException e) {
                return "cannot be read: " + e;
            }
        }

        /** With nothing that would need memory itself. */
        private static @Nullable Throwable append(Log log, byte @Nullable [] record) {
            try {
                for (int i = 0; i < 200; i++) {
                    log.append(record, 0, RECORD);
                }
                return null;
            } catch (Throwable e) {
                return e;
            }
        }

        private static void append(Log log, int count) {
            byte[] record = new byte[RECORD];
            for (int i = 0; i < count; i++) {
                log.append(record, 0, RECORD);
            }
        }

        private static void fill(Object[] ballast) {
            int next = 0;
            for (int length = Integer.MAX_VALUE; length >= 16; ) { // the first one is caught while there is memory
                try {
                    ballast[next] = new byte[length];
                    next++;
                } catch (OutOfMemoryError e) {
                    length /= 2;
                }
            }
        }
    }
}
