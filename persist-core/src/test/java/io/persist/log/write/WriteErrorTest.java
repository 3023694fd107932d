package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors, such as the end of memory, where the appending thread writes to a file. */
class WriteErrorTest {

    private static final int RECORDS = 200;

    @TempDir(factory = InMemory.class)
    Path directory;

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

    /** A record that is longer than the write buffer needs a longer one, before anything else is done. */
    @Test
    void shouldGoOnAfterThereWasNoMemoryForALongRecord() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.command(LongRecord.class, directory));
        command.add(1, "-Xmx24m");
        try (ChildJvm child = ChildJvm.run(command)) {
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
}
