package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.control.ControlFile;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The ways to a place of a tailer for which the log ends where it is synced, which is anywhere before its end. */
@ParameterizedClass
@MappedAndFile
class SyncedPlacesTest {

    private static final int ROLLS = 3;

    @Parameter
    WriterKind kind;

    private final CrashableStorage storage = new CrashableStorage();

    /** Where each record begins, the first one at index 1. */
    private final List<Long> positions = new ArrayList<>(List.of(0L));

    private long end;

    @BeforeEach
    void write() {
        try (Log log = Log.open(kind.config().build(), storage)) {
            Records.appendUntilRolled(log, ROLLS);
            Records.append(log, 5);
            end = log.position();
        }
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            while (tailer.next()) {
                positions.add(tailer.position());
            }
        }
    }

    @AfterEach
    void closed() {
        assertThat(storage.openHandles()).isZero();
    }

    private Tailer tailer() {
        return Tailer.open(
                storage, WriterKind.reader().readScope(ReadScope.SYNCED).build());
    }

    /** Has the control block say that the log is synced up to {@code position}, and no further. */
    private void syncedTo(long position) throws IOException {
        try (ControlFile control = Objects.requireNonNull(ControlFile.open(storage, Storage.Access.WRITE))) {
            control.block().synced(position);
        }
    }

    private int last() {
        return positions.size() - 1;
    }

    private void assertThatItGoesOnAt(Tailer tailer, long record) throws IOException {
        assertThat(tailer.next()).isFalse();
        syncedTo(end);
        assertThat(Records.readOn(tailer, record)).isEqualTo(last() + 1);
    }

    @Test
    void shouldFindTheNumberAfterTheLastThatIsSynced() throws IOException {
        for (int next = 1; next <= last(); next++) {
            syncedTo(positions.get(next));
            try (Tailer tailer = tailer()) {
                for (int behind : new int[] {next + 1, last() + 1, last() + 2}) {
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> tailer.toSequence(behind))
                            .withMessage("record is not written yet: sequence=" + behind + ", last=" + (next - 1));
                }
                tailer.toSequence(next);
                assertThatItGoesOnAt(tailer, next);
            }
        }
    }

    /** The tailer stands in a segment that is gone, so that it can only get there without reading what is before. */
    @Test
    void shouldGoToTheEndOfWhatIsSyncedWhereverThatIs() throws IOException {
        byte[] first = storage.content(LogFileName.segment(0));
        for (int next = 2; next <= last(); next++) {
            for (long synced : endsBefore(next)) {
                storage.replace(LogFileName.segment(0), first);
                try (Tailer tailer = tailer()) {
                    if (synced >= WriterKind.SEGMENT_LENGTH) {
                        storage.delete(LogFileName.segment(0));
                    }
                    syncedTo(synced);
                    tailer.toEnd();
                    assertThatItGoesOnAt(tailer, next);
                }
            }
        }
    }

    /** Where the log may be synced to if the record {@code next} is the first that is not. */
    private List<Long> endsBefore(int next) {
        long position = positions.get(next);
        long base = position - SegmentHeader.LENGTH;
        if (base % WriterKind.SEGMENT_LENGTH != 0) {
            return List.of(position);
        }
        long before = positions.get(next - 1);
        long seal = before + Frame.aligned(Frame.HEADER_LENGTH + Records.of(next - 1).length);
        return List.of(seal, seal + Frame.aligned(Frame.SEAL_LENGTH), base, position);
    }

    /** It is a place of the log, as the beginning of a record is that is not synced either. */
    @Test
    void shouldGoToTheEndOfTheLogThatIsNotSyncedYet() throws IOException {
        syncedTo(positions.get(2));
        try (Tailer tailer = tailer()) {
            for (long place : List.of(positions.get(last()), end)) {
                tailer.toPosition(place);
                assertThat(tailer.nextPosition()).isEqualTo(place);
                assertThat(tailer.next()).isFalse();
            }
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toPosition(end + Frame.ALIGNMENT));
            tailer.toPosition(positions.get(last()));
            assertThatItGoesOnAt(tailer, last());
        }
    }

    @Test
    void shouldStayIfItIsBehindTheEndOfWhatIsSynced() throws IOException {
        try (Tailer tailer = tailer()) {
            tailer.toPosition(positions.get(last()));
            syncedTo(positions.get(2));
            tailer.toEnd();
            assertThatItGoesOnAt(tailer, last());
        }
    }
}
