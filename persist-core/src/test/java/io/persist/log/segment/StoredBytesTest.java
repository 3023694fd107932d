package io.persist.log.segment;

import static io.persist.format.FrameVerdict.BAD_CHECKSUM;
import static io.persist.format.FrameVerdict.BAD_LENGTH;
import static io.persist.format.FrameVerdict.EMPTY;
import static io.persist.format.FrameVerdict.VALID;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.DueRecord;
import io.persist.format.Frame;
import io.persist.format.FrameVerdict;
import io.persist.format.Frames;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The record 11 is due. The same bytes mean something else in a new file than in one that was used again. */
class StoredBytesTest {

    private static final int LENGTH = 4096;
    private static final int FIRST = SegmentHeader.LENGTH;
    private static final int HEADER = Frame.HEADER_LENGTH;
    private static final int RECORD = HEADER + 16;
    private static final int LATER = 256;
    private static final long DUE = 11;

    private static final DueRecord DUE_HERE = new DueRecord(DUE, Frames.BASE + FIRST, 0);
    private static final DueRecord DUE_BEFORE = new DueRecord(DUE, Frames.BASE - 64, 0);

    /** The last byte of a header that is not zero, if it has no flag. */
    private static final int LAST_OF_HEADER = Frame.TYPE_OFFSET + 1;

    private final ByteBuffer bytes = Frames.segment(LENGTH);

    /**
     * What is told of one kind of file.
     *
     * @param verdict at the first place
     * @param end of what was stored
     * @param isAny as far as that can be told without a number
     * @param isAnyDue where the number is known that is due
     */
    private record Told(FrameVerdict verdict, int end, boolean isAny, boolean isAnyDue) {}

    private enum Content {
        ZEROS(
                bytes -> {}, //
                new Told(EMPTY, FIRST, false, false),
                new Told(EMPTY, FIRST, false, false)),
        A_RECORD(
                bytes -> record(bytes, FIRST, DUE, 1),
                new Told(VALID, FIRST + RECORD, true, true),
                new Told(VALID, FIRST + RECORD, true, true)),
        A_RECORD_THAT_ENDS_WITH_ZEROS(
                bytes -> record(bytes, FIRST, DUE, 0),
                new Told(VALID, FIRST + RECORD, true, true),
                new Told(VALID, FIRST + RECORD, true, true)),
        A_RECORD_WITH_A_WRONG_NUMBER(
                bytes -> record(bytes, FIRST, DUE - 4, 0),
                new Told(VALID, FIRST + RECORD, true, true),
                new Told(VALID, FIRST + RECORD, true, true)),
        TWO_RECORDS_AND_OLD_BYTES(
                bytes -> {
                    record(bytes, FIRST, DUE, 1);
                    record(bytes, FIRST + RECORD, DUE + 1, 0);
                    oldBytes(bytes, FIRST + 2 * RECORD);
                },
                new Told(VALID, LENGTH, true, true),
                new Told(VALID, FIRST + 2 * RECORD, true, true)),
        TORN(
                bytes -> {
                    header(bytes, FIRST, DUE, 200);
                    bytes.put(FIRST + HEADER + 9, (byte) 1);
                },
                new Told(BAD_CHECKSUM, FIRST + HEADER + 10, true, true),
                new Told(BAD_CHECKSUM, FIRST + 200, true, true)),
        TORN_BEFORE_OLD_BYTES(
                bytes -> {
                    header(bytes, FIRST, DUE, 200);
                    oldBytes(bytes, FIRST + HEADER);
                },
                new Told(BAD_CHECKSUM, LENGTH, true, true),
                new Told(BAD_CHECKSUM, FIRST + 200, true, true)),
        TORN_WITHOUT_A_POSSIBLE_LENGTH(
                bytes -> {
                    header(bytes, FIRST, DUE, LENGTH);
                    oldBytes(bytes, FIRST + HEADER);
                },
                new Told(BAD_LENGTH, LENGTH, true, true),
                new Told(BAD_LENGTH, FIRST + HEADER, true, true)),
        TORN_WITHOUT_LENGTH(
                bytes -> header(bytes, FIRST, DUE, 0),
                new Told(EMPTY, FIRST + LAST_OF_HEADER, true, true),
                new Told(EMPTY, FIRST + HEADER, true, true)),
        TORN_WITHOUT_HEADER(
                bytes -> bytes.put(FIRST + HEADER + 9, (byte) 1),
                new Told(EMPTY, FIRST + HEADER + 10, true, true),
                new Told(EMPTY, FIRST, false, false)),
        OLD_HEADER_AND_OLD_BYTES(
                bytes -> {
                    header(bytes, FIRST, DUE - 4, 200);
                    oldBytes(bytes, FIRST + HEADER);
                },
                new Told(BAD_CHECKSUM, LENGTH, true, true),
                new Told(EMPTY, FIRST, true, true)),
        OLD_BYTES_BEHIND_ZEROS(
                bytes -> {
                    header(bytes, LATER, DUE - 4, 200);
                    oldBytes(bytes, LATER + HEADER);
                },
                new Told(EMPTY, LENGTH, true, true),
                new Told(EMPTY, FIRST, false, false)),
        A_LATER_RECORD(
                bytes -> record(bytes, LATER, DUE + 1, 0),
                new Told(EMPTY, LATER + RECORD, true, true),
                new Told(EMPTY, LATER + RECORD, true, true)),
        THE_HEADER_OF_A_LATER_RECORD(
                bytes -> header(bytes, LATER, DUE + 1, 200),
                new Told(EMPTY, LATER + LAST_OF_HEADER, true, true),
                new Told(EMPTY, LATER + HEADER, false, true));

        private final Consumer<ByteBuffer> stored;
        private final Told ofNew;
        private final Told ofReused;

        Content(Consumer<ByteBuffer> stored, Told ofNew, Told ofReused) {
            this.stored = stored;
            this.ofNew = ofNew;
            this.ofReused = ofReused;
        }
    }

    private static void record(ByteBuffer bytes, int offset, long sequence, int payload) {
        byte[] all = new byte[RECORD - HEADER];
        Arrays.fill(all, (byte) payload);
        Frames.record(bytes, offset, sequence, all);
    }

    /** Of a record whose payload is gone. */
    private static void header(ByteBuffer bytes, int offset, long sequence, int length) {
        Frame.putHeader(bytes, offset, sequence, Frame.UNSYNCED_UNKNOWN, Frame.TYPE_RECORD, (byte) 0);
        Frame.putChecksum(bytes, offset, 77);
        Frame.putLength(bytes, offset, length);
    }

    private static void oldBytes(ByteBuffer bytes, int offset) {
        byte[] old = new byte[LENGTH - offset];
        Arrays.fill(old, (byte) -7);
        bytes.put(offset, old);
    }

    private StoredBytes of(int flags) {
        SegmentHeader header = new SegmentHeader(Frames.BASE, LENGTH, Frames.SALT, 1, 2, LogContent.MESSAGES, flags);
        return StoredBytes.of(header, Frames.scanner(bytes));
    }

    @ParameterizedTest
    @EnumSource(Content.class)
    void shouldTellWhatIsInANewFile(Content content) {
        content.stored.accept(bytes);
        check(of(0), content.ofNew);
    }

    @ParameterizedTest
    @EnumSource(Content.class)
    void shouldTellWhatIsInAFileThatWasUsedAgain(Content content) {
        content.stored.accept(bytes);
        check(of(SegmentHeader.FLAG_REUSED), content.ofReused);
    }

    private void check(StoredBytes stored, Told told) {
        FrameWalk first = new FrameWalk(Frames.scanner(bytes), FIRST);
        assertThat(new Told(
                        stored.verdict(first, DUE),
                        stored.end(FIRST, DUE_HERE),
                        stored.isAny(),
                        stored.isAny(DUE_BEFORE)))
                .isEqualTo(told);
        StoredBytes.Later later = stored.later(DUE_BEFORE);
        assertThat(later.synced() >= 0 || later.isAny().getAsBoolean())
                .as("behind the end of the log")
                .isEqualTo(told.isAnyDue());
    }

    /** Frames of a test say that all before them is synced. */
    @Test
    void shouldTellUpToWhereFramesSayThatTheLogWasSynced() {
        record(bytes, LATER, DUE + 1, 1);
        record(bytes, LATER + RECORD, DUE + 2, 1);
        for (int flags : new int[] {0, SegmentHeader.FLAG_REUSED}) {
            StoredBytes stored = of(flags);
            assertThat(stored.later(DUE_BEFORE).synced()).isEqualTo(Frames.BASE + LATER + RECORD);
            assertThat(stored.later(new DueRecord(DUE + 3, Frames.BASE - 64, 0)).synced())
                    .isEqualTo(-1);
        }
    }

    /** Nobody knows the numbers; and what is zero at the end of a new file may be no part of it. */
    @Test
    void shouldTellWhereAFileEndsThatWasSetAside() {
        record(bytes, FIRST, 99, 0);
        StoredBytes ofNew = of(0);
        StoredBytes ofReused = of(SegmentHeader.FLAG_REUSED);
        assertThat(ofNew.endOfAside()).isEqualTo(FIRST + LAST_OF_HEADER);
        assertThat(ofReused.endOfAside()).isEqualTo(FIRST + RECORD);

        oldBytes(bytes, FIRST + RECORD);
        assertThat(ofNew.endOfAside()).isEqualTo(LENGTH);
        assertThat(ofReused.endOfAside()).isEqualTo(FIRST + RECORD);

        header(bytes, FIRST, 99, 200);
        assertThat(ofReused.endOfAside()).as("torn").isEqualTo(FIRST + 200);
    }

    @Test
    void shouldCountAsStoredWhatWasAcknowledgedAndCannotBeTold() {
        StoredBytes ofNew = of(0);
        StoredBytes ofReused = of(SegmentHeader.FLAG_REUSED);
        for (long position : new long[] {0, Frames.BASE, Frames.BASE + LATER, Long.MAX_VALUE}) {
            assertThat(ofNew.endOfAcknowledged(position)).isZero();
        }
        assertThat(ofReused.endOfAcknowledged(0)).isZero();
        assertThat(ofReused.endOfAcknowledged(Frames.BASE + LATER)).isEqualTo(LATER);
        assertThat(ofReused.endOfAcknowledged(Frames.BASE + LENGTH + 1)).isEqualTo(LENGTH);
        assertThat(ofReused.endOfAcknowledged(Long.MAX_VALUE)).isEqualTo(LENGTH);
    }

    @Test
    void shouldFindTheSeal() {
        record(bytes, FIRST, DUE, 1);
        int seal = FIRST + RECORD;
        int end = Frames.frame(bytes, seal, DUE + 1, Frame.TYPE_SEAL, Frame.sealPayload(1L << 56));
        assertThat(of(0).seal()).extracting(FrameWalk::offset).isEqualTo(seal);
        assertThat(of(SegmentHeader.FLAG_REUSED).seal())
                .extracting(FrameWalk::offset)
                .isEqualTo(seal);

        oldBytes(bytes, end);
        assertThat(of(0).seal()).as("it is the last").isNull();
        assertThat(of(SegmentHeader.FLAG_REUSED).seal())
                .extracting(FrameWalk::offset)
                .isEqualTo(seal);

        bytes.put(seal, new byte[end - seal]);
        assertThat(of(SegmentHeader.FLAG_REUSED).seal()).isNull();
    }
}
