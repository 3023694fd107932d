package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.cursor.CursorName;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.log.recovery.RecoveryTable;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.segment.LogFiles;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A segment in the middle of a log loses its records, and the log goes on over it. */
class PlaceholderSegmentTest {

    private static final int SEGMENT_LENGTH = 4096;
    private static final int COUNT = 60;

    private final LogConfig config =
            LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();

    @Test
    void shouldGoOnOverAVacatedSegment() {
        CrashableStorage storage = new CrashableStorage();
        List<Long> kept;
        try (Log log = written(storage)) {
            assertThat(log.vacate(SEGMENT_LENGTH)).isTrue();
            assertThat(log.vacate(SEGMENT_LENGTH)).as("again").isTrue();
            kept = sequences(log.tailer());
            log.append(Records.of(COUNT + 1, 200), 0, 200);
        }
        assertThat(kept).contains(1L, (long) COUNT).doesNotContain(25L).isSorted();
        for (int opening = 0; opening < 2; opening++) {
            try (Log log = Log.open(config, storage)) {
                assertThat(sequences(log.tailer())).hasSize(kept.size() + 1).containsAll(kept);
            }
        }
    }

    @Test
    void shouldLeaveAloneWhatIsNotSealedOrStillRead() {
        CrashableStorage storage = new CrashableStorage();
        try (Log log = written(storage)) {
            long tail = log.position() / SEGMENT_LENGTH * SEGMENT_LENGTH;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.vacate(tail))
                    .withMessageContaining("basePosition=" + tail);
            try (Tailer reading = log.tailer()) {
                assertThat(log.vacate(SEGMENT_LENGTH)).isFalse();
                assertThat(sequences(reading)).hasSize(COUNT);
            }
            assertThat(log.vacate(SEGMENT_LENGTH)).isTrue();
        }
    }

    /** The place of a record that is gone is none to go on from, and no end of the log. */
    @Test
    void shouldBeNoPlaceOfACursor() {
        CrashableStorage storage = new CrashableStorage();
        String name = "back";
        try (Log log = written(storage)) {
            byte[] inside;
            try (Tailer tailer = Tailer.open(storage, name, TailerConfig.defaults())) {
                tailer.toSequence(25);
                long gone = tailer.nextPosition();
                tailer.store();
                inside = storage.content(CursorName.file(name));
                tailer.toEnd();
                tailer.store();
                tailer.toPosition(gone);
                assertThat(log.vacate(SEGMENT_LENGTH)).isTrue();
                assertThatExceptionOfType(RetiredException.class)
                        .isThrownBy(tailer::store)
                        .withMessageContaining("cannot go back to records that compaction has taken away");
            }
            Tailer.open(storage, name, TailerConfig.defaults()).close();
            storage.replace(CursorName.file(name), inside);
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> Tailer.open(storage, name, TailerConfig.defaults()))
                    .withMessageContaining("were taken away by compaction");
        }
    }

    /** A scan ends there because something is missing, and not because compaction was faster. */
    @ParameterizedTest
    @EnumSource(LogScan.Start.class)
    void shouldMissTheSegmentBehindAVacatedOne(LogScan.Start start) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log log = written(storage);
        assertThat(log.vacate(SEGMENT_LENGTH)).isTrue();
        CrashableStorage left = storage.afterKill();
        assertThat(catchThrowable(log::close)).isInstanceOfAny(PowerCut.class, LogIOException.class);
        for (long base : LogFiles.basePositions(left).tailSet(2L * SEGMENT_LENGTH)) {
            left.delete(LogFileName.segment(base));
        }
        ScanFindings found = new LogInspector(left).inspect(start).findings();
        assertThat(found.row().decision()).isEqualTo(RecoveryTable.Decision.CORRUPT);
        assertThat(found.tail()).isEqualTo(2L * SEGMENT_LENGTH);
    }

    @Test
    void shouldStayVacatedAfterAPowerCut() {
        CrashableStorage storage = new CrashableStorage();
        Log log = written(storage);
        assertThat(log.vacate(SEGMENT_LENGTH)).isTrue();
        List<Long> kept = sequences(log.tailer());
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        assertThat(catchThrowable(log::close)).isInstanceOfAny(PowerCut.class, LogIOException.class);
        try (Log opened = Log.open(config, after)) {
            assertThat(sequences(opened.tailer())).isEqualTo(kept);
        }
    }

    /** As a reader of another process does, of which the writer does not know. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTellAReaderWhosePlaceWasVacatedBeforeItReadOn(ReadMode mode) {
        CrashableStorage storage = new CrashableStorage();
        TailerConfig other = TailerConfig.builder().readMode(mode).build();
        try (Log log = written(storage);
                Tailer tailer = Tailer.open(storage, other)) {
            tailer.toSequence(25);
            assertThat(log.vacate(SEGMENT_LENGTH)).isTrue();
            assertThatExceptionOfType(RetiredException.class).isThrownBy(tailer::next);
            tailer.toPosition(SEGMENT_LENGTH + SegmentHeader.LENGTH);
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.position()).isGreaterThan(2 * SEGMENT_LENGTH);
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** Behind it comes a segment in which nothing is published yet. */
    @Test
    void shouldSayThatTheRecordsOfTheLastSealedSegmentAreGone() throws IOException {
        CrashableStorage storage = new CrashableStorage();
        long tail;
        try (Log log = written(storage)) {
            tail = log.position() / SEGMENT_LENGTH * SEGMENT_LENGTH;
            assertThat(log.vacate(tail - SEGMENT_LENGTH)).isTrue();
        }
        storage.delete(LogFileName.CONTROL); // which says up to where there have to be records
        try (StorageFile file = storage.open(LogFileName.segment(tail), Storage.Access.WRITE)) {
            byte[] nothing = new byte[SEGMENT_LENGTH - SegmentHeader.LENGTH];
            file.write(SegmentHeader.LENGTH, nothing, 0, nothing.length, WriteThrough.NONE);
        }
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> tailer.toSequence(50))
                    .withMessageStartingWith("record is gone: sequence=50, next=");
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toSequence(COUNT));
        }
    }

    /** At every operation of the storage: the segment is as it was, or vacated, and never missing. */
    @Test
    void shouldSurviveAPowerCutAtEveryStep() {
        for (int cut = 1; ; cut++) {
            CrashableStorage storage = new CrashableStorage();
            boolean completed = false;
            try (Log log = written(storage)) {
                storage.cutPowerAt(storage.operations() + cut);
                completed = log.vacate(SEGMENT_LENGTH) && !storage.isOff();
            } catch (PowerCut | PersistException e) {
                assertThat(storage.isOff()).as(e.toString()).isTrue();
            }
            for (Loss loss : Loss.values()) {
                CrashableStorage after = storage.crash(new Random(cut), loss);
                try (Log log = Log.open(config, after)) {
                    List<Long> found = sequences(log.tailer());
                    assertThat(found.size()).isIn(COUNT, COUNT - 18, COUNT - 17, COUNT - 16);
                    assertThat(found).contains(1L, (long) COUNT).isSorted();
                }
            }
            if (completed) {
                assertThat(cut).isGreaterThan(4);
                return;
            }
        }
    }

    @Test
    void shouldRefuseALogOfAnotherContent() {
        CrashableStorage storage = new CrashableStorage();
        written(storage).close();
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> Log.open(config, LogContent.PACKETS, storage))
                .withMessageContaining("the log holds messages, not packets")
                .withMessageContaining("open it with MessageLogger");
        Log.open(config, storage).close();
    }

    private Log written(CrashableStorage storage) {
        Log log = Log.open(config, storage);
        for (int i = 1; i <= COUNT; i++) {
            log.append(Records.of(i, 200), 0, 200);
        }
        log.commit(Durability.SYNCED);
        assertThat(log.position()).isGreaterThan(3L * SEGMENT_LENGTH + SegmentHeader.LENGTH);
        return log;
    }

    private static List<Long> sequences(Tailer tailer) {
        List<Long> sequences = new ArrayList<>();
        try (tailer) {
            while (tailer.next()) {
                sequences.add(tailer.sequence());
            }
        }
        return sequences;
    }
}
