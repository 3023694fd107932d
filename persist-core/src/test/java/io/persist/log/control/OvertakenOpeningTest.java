package io.persist.log.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogLockedException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.recovery.LogRepair;
import io.persist.support.HolderMark;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that cannot be seen marks the log as its own while this one, which had marked it before, still opens it. */
class OvertakenOpeningTest {

    private static final String SEGMENT = LogFileName.segment(0);
    private static final String LEFTOVER = SEGMENT + LogFileName.TEMPORARY_SUFFIX;

    private final CrashableStorage storage = new CrashableStorage();
    private final LogConfig config = WriterKind.MAPPED.config(Path.of("log")).build();
    private long last;

    /** The other process comes when a segment is read, or when recovery syncs the directory, last of all. */
    private record Overtaken(Storage storage, boolean isAtEnd) implements ForwardingStorage {

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            if (!isAtEnd && name.equals(SEGMENT)) {
                overtake();
            }
            return storage.open(name, access);
        }

        @Override
        public void syncDirectory() throws IOException {
            storage.syncDirectory();
            if (isAtEnd) {
                overtake();
            }
        }

        private void overtake() throws IOException {
            HolderMark.hide(storage);
            try (ControlFile control = ControlFile.open(storage, Access.WRITE)) {
                control.block().holder().epoch(control.block().holder().epoch() + 1);
            }
        }
    }

    @BeforeEach
    void writeRecords() throws IOException {
        try (Log log = Log.open(config, storage)) {
            Records.append(log, 3);
            last = log.lastPosition();
        }
        storage.create(LEFTOVER).close();
    }

    private void assertHeldByTheOther() throws IOException {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            assertThat(control.block().holder().holder().pid()).isEqualTo(1);
        }
        assertThat(storage.openHandles()).isZero();
    }

    private static void assertRefused(Runnable opening) {
        assertThatExceptionOfType(LogLockedException.class)
                .isThrownBy(opening::run)
                .withMessageContaining("another process has opened the log for writing meanwhile")
                .withMessageContaining("pid=1;");
    }

    @Test
    void shouldChangeNothingAfterTheScan() throws IOException {
        assertRefused(() -> Log.open(config, new Overtaken(storage, false)));
        assertThat(storage.list()).contains(LEFTOVER);
        assertHeldByTheOther();
    }

    @Test
    void shouldNotTakeTheLogForItsOwnAfterRecovery() throws IOException {
        assertRefused(() -> Log.open(config, new Overtaken(storage, true)));
        assertHeldByTheOther();
    }

    @Test
    void shouldCutNothingInARepair() throws IOException {
        byte[] damaged = storage.content(SEGMENT);
        damaged[(int) last + 6] ^= 1;
        storage.replace(SEGMENT, damaged);
        LogRepair repair = new LogRepair(new Overtaken(storage, false));
        assertRefused(repair::repair);
        assertThat(storage.content(SEGMENT)).isEqualTo(damaged);
        assertHeldByTheOther();
    }
}
