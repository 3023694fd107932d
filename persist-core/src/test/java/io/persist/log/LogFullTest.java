package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.error.LogFullException;
import io.persist.error.PersistException;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(
        value = WriterKind.class,
        names = {"MAPPED", "FILE_RW", "FILE_RWD"})
class LogFullTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final int CONTROL = 4096;

    @Parameter
    WriterKind kind;

    private static LogFullException appendUntilFull(Log log, int recordsPerCommit) {
        while (true) {
            long committed = log.committedPosition();
            try {
                Records.append(log, recordsPerCommit);
                log.commit(Durability.SYNCED);
            } catch (LogFullException full) {
                assertThat(log.committedPosition()).isEqualTo(committed);
                return full;
            }
        }
    }

    @Test
    void shouldRefuseARecordBeforeAnythingIsLost() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
        try (Log log = Log.open(kind.config().build(), storage)) {
            LogFullException full = appendUntilFull(log, 1);
            assertThat(full)
                    .hasMessageContaining("log is full")
                    .hasMessageContaining("No space left")
                    .hasMessageContaining("free disk space or retire old segments, then append again")
                    .hasMessageNotContaining("\n");
            long last = log.lastSequence();
            assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> Records.append(log));
            assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> log.claim(200));
            assertThat(log.lastSequence()).isEqualTo(last);
            log.commit(Durability.SYNCED);
            log.flush();
            assertThat(Records.readAll(log)).isEqualTo(last);

            storage.capacityBytes(20 * LENGTH);
            Records.append(log, 100);
            log.commit(Durability.SYNCED);
            assertThat(Records.readAll(log)).isEqualTo(last + 100);
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldLetACommitInProgressBeFinishedInTheReserve() {
        for (int perCommit = 15; perCommit <= 25; perCommit++) {
            CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
            try (Log log = Log.open(kind.config().build(), storage)) {
                while (log.position() < 5 * LENGTH - 500) {
                    Records.append(log, 1);
                    log.commit(Durability.SYNCED);
                }
                Records.append(log, perCommit); // over the end of the last but one segment that there will be
                log.commit(Durability.SYNCED);
                assertThat(log.position()).isGreaterThan(5 * LENGTH);
                appendUntilFull(log, 1);
                assertThat(log.position() / LENGTH).isEqualTo(5);
                log.flush();
                assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
            }
        }
    }

    @Test
    void shouldNotBeginACommitInTheReserve() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
        try (Log log = Log.open(kind.config().build(), storage)) {
            appendUntilFull(log, 1);
            assertThat(log.position() / LENGTH).isEqualTo(4);
            assertThat(log.position()).isEqualTo(log.committedPosition());
        }
    }

    @Test
    void shouldBeFullInTheMiddleOfACommitThatIsLargerThanTheReserve() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
        try (Log log = Log.open(kind.config().build(), storage)) {
            appendUntilFull(log, 1000);
            long last = log.lastSequence();
            assertThat(last).isGreaterThan(100);
            log.commit(Durability.SYNCED);
            assertThat(Records.readAll(log)).isEqualTo(last);
        }
    }

    @Test
    void shouldAppendAgainOnceOldSegmentsAreRetired() {
        for (Retirement retirement : Retirement.values()) {
            CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
            try (Log log = Log.open(kind.config().build(), storage)) {
                for (int round = 0; round < 10; round++) {
                    appendUntilFull(log, 3);
                    long last = log.lastSequence();
                    log.retire(log.planRetention(RetentionRule.keepBytes(0)), retirement);
                    Records.append(log, 20);
                    log.commit(Durability.SYNCED);
                    assertThat(log.lastSequence()).isEqualTo(last + 20);
                }
                try (Tailer tailer = log.tailer()) {
                    assertThat(tailer.next()).isTrue();
                    assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
                }
            }
        }
    }

    @Test
    void shouldBeUsableAfterReopening() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
        long last;
        try (Log log = Log.open(kind.config().build(), storage)) {
            appendUntilFull(log, 5);
            last = log.lastSequence();
        }
        try (Log log = Log.open(kind.config().build(), storage)) {
            assertThat(log.lastSequence()).isEqualTo(last);
            assertThat(Records.readAll(log)).isEqualTo(last);
            appendUntilFull(log, 5);
            last = log.lastSequence();
        }
        storage = storage.crash(new Random(1), Loss.ALL_LOST);
        try (Log log = Log.open(kind.config().build(), storage)) {
            assertThat(Records.readAll(log)).isEqualTo(last);
            storage.capacityBytes(20 * LENGTH);
            Records.append(log, 100);
            log.sync();
            assertThat(Records.readAll(log)).isEqualTo(last + 100);
        }
    }

    @Test
    void shouldNotOpenALogForWhichThereIsNoSpace() {
        for (int capacity = 0; capacity <= 2 * LENGTH; capacity += 512) {
            CrashableStorage storage = new CrashableStorage().capacityBytes(capacity);
            try (Log log = Log.open(kind.config().build(), storage)) {
                assertThat(capacity).isGreaterThanOrEqualTo(LENGTH + CONTROL);
                Records.append(log, 1);
            } catch (PersistException full) {
                assertThat(capacity).isLessThan(LENGTH + CONTROL);
                assertThat(full).hasMessageContaining("No space left");
            }
            assertThat(storage.openHandles()).isZero();
            storage.capacityBytes(10 * LENGTH);
            try (Log log = Log.open(kind.config().build(), storage)) {
                Records.append(log, 1);
            }
        }
    }

    @Test
    void shouldSurviveAFullDiskAtEverySize(@TempDir Path directory) throws IOException, InterruptedException {
        for (int pages = 3; pages <= 40; pages += Math.max(1, pages / 6)) {
            try (SmallDisk disk = new SmallDisk(directory, pages * 4096)) {
                fillAndReopen(disk);
            }
        }
    }

    private void fillAndReopen(SmallDisk disk) throws IOException {
        LogConfig config = kind.config(disk.mountPoint.resolve("log"))
                .segmentLength(2 * LENGTH)
                .build();
        long last = 0;
        try (Log log = Log.open(config)) {
            appendUntilFull(log, 3);
            last = log.lastSequence();
            log.flush();
            assertThat(Records.readAll(log)).isEqualTo(last);
        } catch (PersistException noSpaceAtAll) {
            assertThat(noSpaceAtAll).hasMessageContaining("No space left");
        }
        disk.resize(1 << 20);
        try (Log log = Log.open(config)) {
            assertThat(Records.readAll(log)).isEqualTo(last);
            Records.append(log, 300);
            log.sync();
            assertThat(Records.readAll(log)).isEqualTo(last + 300);
        }
    }

    /** A tmpfs of a few pages, for which one has to be root. */
    private static final class SmallDisk implements AutoCloseable {

        final Path mountPoint;

        SmallDisk(Path directory, int bytes) throws IOException, InterruptedException {
            mountPoint = Files.createDirectories(directory.resolve("disk"));
            boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", mountPoint.toString()) == 0;
            if (!mounted) {
                System.out.println("SKIPPED LogFullTest.shouldSurviveAFullDiskAtEverySize: cannot mount a tmpfs");
            }
            assumeTrue(mounted, "a tmpfs can be mounted");
        }

        void resize(int bytes) throws IOException {
            try {
                assertThat(run("mount", "-o", "remount,size=" + bytes, mountPoint.toString()))
                        .isZero();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        private static int run(String... command) throws IOException, InterruptedException {
            try {
                return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            } catch (IOException noSuchCommand) {
                return -1;
            }
        }

        @Override
        public void close() throws IOException {
            try {
                assertThat(run("umount", mountPoint.toString())).isZero();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
