package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.CursorSlot;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A segment of another log has got in between those of the log, or in front of them. The cursors are right: whoever
 * removed one would have all delivered to its reader again.
 */
class ForeignSegmentCursorTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final int ROLLS = 3;
    private static final String NAME = "billing";

    private final CrashableStorage storage = new CrashableStorage();
    private long logId;
    private long last;

    @BeforeEach
    void write() {
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage);
                Tailer tailer = log.tailer(NAME)) {
            Records.appendUntilRolled(log, ROLLS);
            Records.append(log, 15);
            log.commit(Durability.SYNCED);
            tailer.toEnd();
            tailer.store();
            logId = log.logId();
            last = log.lastSequence();
        }
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    /** Returns the name of the file. */
    private String putAnother(long base) {
        byte[] segment = new byte[LENGTH];
        byte[] header = new SegmentHeader(base, LENGTH, 1, logId + 1, 1).encode();
        System.arraycopy(header, 0, segment, 0, header.length);
        String name = LogFileName.segment(base);
        storage.replace(name, segment);
        return name;
    }

    private Tailer tailer(String name) {
        return Tailer.open(storage, name, TailerConfig.defaults());
    }

    private static void assertNames(String refusal, String file) {
        assertThat(refusal)
                .contains("the segment belongs to another log")
                .contains("file=" + file)
                .doesNotContain("remove");
    }

    @Test
    void shouldNotMakeTheCursorWrongInTheLastSegment() throws IOException {
        String foreign = putAnother(ROLLS * LENGTH + 512);
        assertThat(BillingCursor.stored(storage).position()).isGreaterThan(ROLLS * LENGTH + 512);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> tailer(NAME))
                .satisfies(refusal -> assertNames(refusal.getMessage(), foreign));
        assertThat(new LogCursors(storage).refused())
                .hasEntrySatisfying(NAME, refusal -> assertNames(refusal, foreign));
        storage.delete(foreign);
        tailer(NAME).close();
    }

    /** The log ends right behind the seal of a segment. */
    @Test
    void shouldNotMakeTheCursorWrongInTheSegmentBeforeTheEnd() {
        String end = LogFileName.segment(ROLLS * LENGTH);
        byte[] empty = storage.content(end);
        Arrays.fill(empty, SegmentHeader.LENGTH, empty.length, (byte) 0);
        CursorPositions positions = new CursorPositions(storage);
        long position = ROLLS * LENGTH + SegmentHeader.LENGTH;
        long number = positions.numberAt(ROLLS * LENGTH, position);
        storage.replace(end, empty);
        String foreign = putAnother(ROLLS * LENGTH - 512);
        CursorSlot cursor = new CursorSlot(1, logId, position, number, 0, 0);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> positions.find(NAME, cursor, 0))
                .satisfies(refusal -> assertNames(refusal.getMessage(), foreign));
    }

    /** A segment of the log may have been in its place, and a reader must not begin behind that without a word. */
    @Test
    void shouldNotBeWhereANewCursorBegins() throws IOException {
        String foreign = putAnother(0);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> new LogCursors(storage).register("late"))
                .satisfies(refusal -> assertNames(refusal.getMessage(), foreign));
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> tailer("late"))
                .satisfies(refusal -> assertNames(refusal.getMessage(), foreign));
        assertThat(storage.list()).doesNotContain("late.cursor");
        storage.delete(foreign);
        try (Tailer tailer = tailer("late")) {
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.position()).isEqualTo(LENGTH + SegmentHeader.LENGTH);
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(last + 1);
        }
    }

    /** It is the log's, and nobody is to move it away; but it is the only one that knows the first record's number. */
    @Test
    void shouldTakeADamagedFirstSegmentForTheLogs() {
        String first = LogFileName.segment(0);
        byte[] bytes = storage.content(first);
        bytes[0] ^= 1;
        storage.replace(first, bytes);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> new CursorPositions(storage).start())
                .withMessageContaining("file=" + first)
                .withMessageNotContaining("another log");
    }
}
