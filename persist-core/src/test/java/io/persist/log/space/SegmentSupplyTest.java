package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SegmentSupplyTest {

    /** As a mover of directories does it, who comes between a new segment's two names: it finds a half copy there. */
    private record Replacing(Storage storage, AtomicBoolean isOn) implements ForwardingStorage {

        @Override
        public void rename(String from, String to) throws IOException {
            storage.rename(from, to);
            if (isOn.get() && LogFileName.basePosition(to).isPresent()) {
                storage.delete(to);
                try (StorageFile file = storage.create(to)) {
                    file.write(WriterKind.SEGMENT_LENGTH - 1, new byte[1], 0, 1, WriteThrough.NONE);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldMakeASegmentAnewWhoseNameAnotherFileHasTaken(WriterKind kind) {
        AtomicBoolean isOn = new AtomicBoolean();
        CrashableStorage disk = new CrashableStorage();
        try (Log log = Log.open(kind.config().build(), new Replacing(disk, isOn))) {
            isOn.set(true);
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> Records.appendUntilRolled(log, 10))
                    .withMessageContaining("cannot prepare the next segment: the segment was replaced while it was"
                            + " opened: file=");
            isOn.set(false);
            Records.appendUntilRolled(log, 5);
            log.flush();
            assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
        }
        assertThat(disk.openHandles()).isZero();
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldSayWhatToDoAboutAFileThatMayNotBeSoLong(WriterKind kind) {
        CrashableStorage disk = new CrashableStorage();
        FaultyStorage storage = new FaultyStorage(disk).message("File too large");
        try (Log log = Log.open(kind.config().build(), storage)) {
            storage.failFrom(Verb.CREATE, 1);
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> Records.appendUntilRolled(log, 10))
                    .withMessageContaining(
                            "cannot prepare the next segment: File too large: length=" + WriterKind.SEGMENT_LENGTH)
                    .withMessageContaining(
                            "raise the limit of a file's length (ulimit -f), or take a shorter" + " segmentLength");
            storage.heal();
            Records.appendUntilRolled(log, 5);
            log.flush();
            assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
        }
        assertThat(disk.openHandles()).isZero();
    }
}
