package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.error.LogIOException;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.support.Resources;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

@EnabledOnOs(OS.LINUX)
class ResourceTest {

    /** The segment that is written, eight ahead at most, the control block, the lock, and one that is being made. */
    private static final int MOST_HELD = 12;

    @TempDir(factory = InMemory.class)
    Path directory;

    /** While it is open, a log holds on to the segments that are written and prepared, however long it lives. */
    @ParameterizedTest
    @MappedAndFile
    void shouldHoldOnlyAFewSegments(WriterKind kind) throws IOException {
        Path real = directory.toRealPath();
        try (Log log = Log.open(kind.config(real).build())) {
            for (int round = 0; round < 10; round++) {
                Records.appendUntilRolled(log, 10);
                log.sync();
                Await.until("sealed segments are closed", () -> {
                    try {
                        Resources used = Resources.of(real);
                        return used.descriptors().size() <= MOST_HELD
                                && used.mappings().size() <= MOST_HELD;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
            }
        }
    }

    @Test
    void shouldReleaseTheSpaceOfADeletedSegmentOnceNobodyReadsIt() throws IOException {
        Path real = directory.toRealPath();
        assumeTrue(Files.isReadable(Path.of("/proc/self/maps")), "/proc is there");
        try (Log log = Log.open(WriterKind.MAPPED.config(real).build())) {
            Records.appendUntilRolled(log, 5);
            Tailer tailer = Tailer.open(real);
            assertThat(tailer.next()).isTrue();
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.DELETE);
            assertThat(deletedMappings(real)).isPositive();
            tailer.close();
            Await.until("no deleted file is mapped", () -> {
                try {
                    return deletedMappings(real) == 0;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    /** Segments that were to be recycled are deleted when the log is closed. */
    @Test
    void shouldLeaveNothingOpenWhenThePowerGoesWhileItIsClosed() {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(WriterKind.FILE_RW.config().build(), storage);
        Records.appendUntilRolled(log, 30);
        log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
        storage.hook((number, what) -> {
            if (what.startsWith("delete ")) {
                throw new PowerCut(what);
            }
        });
        assertThatExceptionOfType(PowerCut.class).isThrownBy(log::close);
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldLeaveNothingOpenWhenATailerCannotBeOpened() {
        CrashableStorage storage = new CrashableStorage();
        LogConfig config = WriterKind.MAPPED.config().build();
        Log.open(config, storage).close();
        for (int n = 1; n <= 2; n++) { // for the control block, and for the segments
            FaultyStorage faulty = new FaultyStorage(storage).fail(Verb.LIST, n);
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> Tailer.open(faulty, TailerConfig.defaults()));
            assertThat(storage.openHandles()).as("failure %d", n).isZero();
        }
    }

    /** A log whose control block was lost is opened, and each operation of that fails in turn. */
    @ParameterizedTest
    @MappedAndFile
    void shouldLeaveNothingOpenWhereverOpeningFails(WriterKind kind) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        try (Log log = Log.open(kind.config().build(), storage)) {
            Records.append(log, 3);
        }
        int failures = 0;
        for (boolean isOpened = false; !isOpened; failures++) {
            storage.delete(LogFileName.CONTROL);
            int failing = storage.operations() + 1 + failures;
            storage.hook((number, what) -> {
                if (number == failing) {
                    throw new IOException("Input/output error");
                }
            });
            try (Log log = Log.open(kind.config().build(), storage)) {
                assertThat(log.lastSequence()).isEqualTo(3);
                isOpened = storage.operations() < failing;
            } catch (LogIOException failed) {
                assertThat(failed).hasMessageContaining("Input/output error");
            }
            storage.hook((number, what) -> {});
            assertThat(storage.openHandles()).as("failure %d", failures).isZero();
            if (!storage.list().contains(LogFileName.CONTROL)) {
                Log.open(kind.config().build(), storage).close();
            }
        }
        assertThat(failures).isGreaterThan(5);
    }

    private static long deletedMappings(Path directory) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains(directory.toString()) && line.endsWith("(deleted)"))
                .count();
    }

    /** At the write buffer, which is made when the log's threads and segments are there already. */
    @Test
    void shouldLeaveNothingBehindIfThereIsNoMemoryToOpen() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("24m", NoMemoryToOpen.class, directory))) {
            assertThat(child.hear()).isEqualTo("OutOfMemoryError; descriptors=0, mappings=0, threads=[]");
            assertThat(child.hear()).isEqualTo("and it can be opened");
        }
    }

    static final class NoMemoryToOpen {

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]).toRealPath();
            LogConfig.Builder config = WriterKind.FILE_RW.config(directory).syncInterval(Duration.ofMillis(1));
            String refused = "opened";
            try {
                Log.open(config.writeBufferLength(64 << 20).build()).close();
            } catch (OutOfMemoryError e) {
                refused = "OutOfMemoryError";
            }
            Resources left = Resources.of(directory);
            List<String> threads = Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("persist"))
                    .toList();
            System.out.println(refused + "; descriptors=" + left.descriptors().size() + ", mappings="
                    + left.mappings().size() + ", threads=" + threads);
            Log.open(config.writeBufferLength(4096).build()).close();
            System.out.println("and it can be opened");
        }
    }
}
