package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.retention.LogRetention;
import io.persist.log.segment.LogFiles;
import io.persist.support.CopiedFiles;
import io.persist.support.DeadLog;
import io.persist.support.NewerSegments;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Segments of a log that are none, or of a newer version, or of another log, cut short or missing. Nobody reads them, no
 * writer goes on behind them, and nothing is changed.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class LogRefusesWrongSegmentsTest extends LeftLogFixture {

    /** What opening throws, which has changed nothing. */
    private <T extends PersistException> T refusal(Class<T> type) {
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        T refused = catchThrowableOfType(type, this::open);
        assertThat(refused).isNotNull();
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
        return refused;
    }

    private void change(String name, int offset, int mask) {
        LeftLog.change(storage, name, offset, mask);
    }

    private void makeNewer(long base) {
        NewerSegments.header(
                storage, base, header -> header.putInt(SegmentHeader.VERSION_OFFSET, SegmentHeader.VERSION + 1));
    }

    @Test
    void shouldRefuseALogWhoseTailIsNoSegment() {
        change(LogFileName.segment(tailBase), SegmentHeader.MAGIC_OFFSET, 1);
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining("no magic")
                    .satisfies(e -> assertThat(e.file()).isEqualTo(LogFileName.segment(tailBase)))
                    .satisfies(e -> assertThat(e.position()).isEqualTo(tailBase));
        }
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
    }

    @Test
    void shouldNeverReadFromAFileThatIsNoSegment() {
        long base = 2 * LENGTH;
        change(LogFileName.segment(base), SegmentHeader.MAGIC_OFFSET + 3, 64);
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .satisfies(e -> assertThat(e.file()).isEqualTo(LogFileName.segment(base)));
            assertThat(tailer.nextPosition()).isBetween(base, base + SegmentHeader.LENGTH);
        }
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
    }

    @Test
    void shouldRefuseALogOfANewerVersion() {
        for (String name : storage.list()) {
            LogFileName.basePosition(name).ifPresent(this::makeNewer);
        }
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("version=2")
                .withMessageContaining("supported version=1")
                .withMessageContaining("open it with Persist " + PersistVersion.CURRENT + ", which wrote it");
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
        assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(this::tailer);
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
    }

    /** A log that went on in it would have two ends. */
    @ParameterizedTest
    @ValueSource(longs = {1, 8, 48, 64, 72})
    void shouldRefuseASegmentBetweenTheRecordsOfItsTail(long offset) {
        String stray = LogFileName.segment(tailBase + offset);
        byte[] made = LeftLog.emptySegment(tailBase + offset, logId());
        for (byte[] content : List.of(made, storage.content(LogFileName.segment(tailBase)))) {
            storage.replace(stray, content);
            assertThat(refusal(CorruptLogException.class).file()).isEqualTo(stray);
        }
    }

    @Test
    void shouldRefuseASegmentIntoWhichTheOneBeforeReaches() {
        storage.replace(LogFileName.segment(tailBase - 8), LeftLog.emptySegment(tailBase - 8, logId()));
        assertThat(refusal(CorruptLogException.class)).hasMessageContaining("reaches into it");
    }

    @Test
    void shouldRefuseANewCursorWhereASegmentBeginsInAHeader() {
        storage.replace(LogFileName.segment(19), LeftLog.emptySegment(19, logId()));
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> Tailer.open(storage, "reader", TailerConfig.defaults()));
    }

    private long logId() {
        String name = LogFileName.segment(tailBase);
        return SegmentHeader.decode(ByteBuffer.wrap(storage.content(name)), name, LENGTH, tailBase)
                .logId();
    }

    /** Between the end of the log and the last file, where opening a log that was closed has no need to look. */
    @Test
    void shouldRefuseAPreparedSegmentOfANewerVersion() {
        long next = tailBase + LENGTH;
        storage.replace(LogFileName.segment(next), LeftLog.emptySegment(next, logId()));
        makeNewer(next);
        storage.replace(LogFileName.segment(next + LENGTH), LeftLog.emptySegment(next + LENGTH, logId()));
        assertThat(refusal(UnsupportedFormatException.class)).hasMessageContaining("version=2");
    }

    @Test
    void shouldRefuseATailOfANewerVersion() {
        makeNewer(tailBase);
        assertThat(refusal(UnsupportedFormatException.class))
                .hasMessageContaining("file=" + LogFileName.segment(tailBase));
    }

    @Test
    void shouldRefuseATailOfAnotherLog() {
        String name = LogFileName.segment(tailBase);
        storage.replace(name, otherLog().content(name));
        refusal(CorruptLogException.class);
    }

    /** Its frames say that it is synced, so that the scan begins in it. */
    @Test
    void shouldRefuseATailOfAnotherLogWithoutAControlBlock() throws IOException {
        String name = LogFileName.segment(tailBase);
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), other)) {
            while (log.lastSequence() < last) {
                Records.append(log);
                log.commit(Durability.SYNCED);
            }
        }
        storage.replace(name, other.content(name));
        storage.delete(LogFileName.CONTROL);
        assertThat(refusal(CorruptLogException.class)).hasMessageContaining("another log");
    }

    @Test
    void shouldNotReadASegmentOfAnotherLog() {
        String name = LogFileName.segment(2 * LENGTH);
        storage.replace(name, otherLog().content(name));
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .withMessageContaining("another log")
                    .satisfies(e -> assertThat(e.file()).isEqualTo(name));
            assertThat(tailer.sequence()).isPositive();
        }
    }

    /** A log with the same records at the same places. */
    private CrashableStorage otherLog() {
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), other)) {
            Records.append(log, (int) last);
        }
        return other;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 4088})
    void shouldRefuseATailThatWasCutShort(int length) {
        String name = LogFileName.segment(tailBase);
        storage.replace(name, Arrays.copyOf(storage.content(name), length));
        refusal(CorruptLogException.class);
    }

    @Test
    void shouldRefuseALogWhoseTailIsMissing() throws IOException {
        storage.delete(LogFileName.segment(tailBase));
        assertThat(refusal(CorruptLogException.class)).hasMessageContaining("missing");
    }

    /** With what was prepared behind the records, or without it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseALogOfWhichNoRecordIsLeft(boolean hasPrepared) throws IOException {
        String prepared = LogFileName.segment(tailBase + LENGTH);
        storage.replace(prepared, LeftLog.emptySegment(tailBase + LENGTH, logId()));
        for (long base : LogFiles.basePositions(storage)) {
            if (base <= tailBase || !hasPrepared) {
                storage.delete(LogFileName.segment(base));
            }
        }
        CorruptLogException refused = refusal(CorruptLogException.class);
        assertThat(refused)
                .hasMessageContaining("no segment is left that has records")
                .hasMessageContaining("put the segments back");
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> new LogRetention(storage).plan(RetentionRule.keepBytes(0)))
                .withMessage(refused.getMessage());
        assertThat(new LogRepair(storage).repair().setAside())
                .singleElement()
                .asString()
                .startsWith(LogFileName.CONTROL);
        try (Log log = open()) {
            assertThat(log.position()).isEqualTo(SegmentHeader.LENGTH);
        }
    }

    /** A power cut has left the log between its roll and the record that was appended then. */
    @Test
    void shouldRefuseALogOfWhichOnlyAnEmptyTailIsLeft() throws IOException {
        storage.replace(LogFileName.segment(tailBase), LeftLog.emptySegment(tailBase, logId()));
        storage.delete(LogFileName.CONTROL);
        storage.syncDirectory();
        Log log = open();
        assertThat(log.position()).isEqualTo(tailBase + SegmentHeader.LENGTH);
        log.sync();
        log.close();
        storage = closed ? storage : DeadLog.kill(open(), storage);
        for (long gone : LogFiles.basePositions(storage).headSet(tailBase)) {
            storage.delete(LogFileName.segment(gone));
        }
        refusal(CorruptLogException.class);
    }

    @Test
    void shouldTellATailerOfAMissingSegment() throws IOException {
        storage.delete(LogFileName.segment(2 * LENGTH));
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .withMessageContaining("missing")
                    .satisfies(e -> assertThat(e.file()).isEqualTo(LogFileName.segment(2 * LENGTH)));
            tailer.toPosition(3 * LENGTH + SegmentHeader.LENGTH);
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(last + 1);
        }
    }
}
