package io.persist.format;

import static io.persist.format.Frames.BASE;
import static io.persist.format.Frames.SALT;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameScannerTest {

    private static final int LENGTH = 4096;
    private static final int FIRST = SegmentHeader.LENGTH;

    private final ByteBuffer segment = Frames.segment(LENGTH);
    private final FrameScanner scanner = Frames.scanner(segment);

    @Test
    void shouldCallAPublishedFrameValid() {
        int next = Frames.record(segment, FIRST, 1, new byte[13]);

        assertThat(scanner.verdict(FIRST)).isEqualTo(FrameVerdict.VALID);
        assertThat(scanner.next(FIRST)).isEqualTo(next).isEqualTo(FIRST + 40);
    }

    @Test
    void shouldJudgeAHeapBufferAlike() {
        Frames.record(segment, FIRST, 1, new byte[13]);
        ByteBuffer heap = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        heap.put(0, segment, 0, LENGTH);

        assertThat(Frames.scanner(heap).verdict(FIRST)).isEqualTo(FrameVerdict.VALID);
        assertThat(Frames.scanner(heap).verdict(FIRST + 40)).isEqualTo(FrameVerdict.EMPTY);
    }

    @Test
    void shouldCallZerosEmpty() {
        assertThat(scanner.verdict(FIRST)).isEqualTo(FrameVerdict.EMPTY);
    }

    @Test
    void shouldCallAFrameWhoseLengthIsNotPublishedEmpty() {
        Frames.record(segment, FIRST, 1, new byte[13]);
        Frame.putLength(segment, FIRST, 0);

        assertThat(scanner.verdict(FIRST)).isEqualTo(FrameVerdict.EMPTY);
    }

    @Test
    void shouldCallPlacesTooShortForAHeaderEmpty() {
        for (int offset = LENGTH - Frame.HEADER_LENGTH + 8; offset <= LENGTH; offset += 8) {
            segment.putInt(Math.min(offset, LENGTH - 4), -1);
            assertThat(scanner.verdict(offset)).isEqualTo(FrameVerdict.EMPTY);
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {1, 23, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 8, LENGTH, LENGTH - FIRST + 1})
    void shouldCallImpossibleLengthsBad(int length) {
        Frame.putLength(segment, FIRST, length);
        assertThat(scanner.verdict(FIRST)).isEqualTo(FrameVerdict.BAD_LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 25, 1000, LENGTH - FIRST - Frame.SEAL_LENGTH})
    void shouldCheckFramesOfEveryPossibleLength(int length) {
        Frame.putLength(segment, FIRST, length);
        assertThat(scanner.verdict(FIRST)).isEqualTo(FrameVerdict.BAD_CHECKSUM);

        Frames.record(segment, FIRST, 1, new byte[length - Frame.HEADER_LENGTH]);
        assertThat(scanner.verdict(FIRST)).isEqualTo(FrameVerdict.VALID);
    }

    /** An appender that went on behind it would write its seal beyond the segment. */
    @ParameterizedTest
    @ValueSource(ints = {LENGTH - FIRST, LENGTH - FIRST - Frame.SEAL_LENGTH + 1})
    void shouldCallARecordThatLeavesNoRoomForASealBad(int length) {
        Frames.record(segment, FIRST, 1, new byte[length - Frame.HEADER_LENGTH]);
        assertThat(scanner.verdict(FIRST)).isEqualTo(FrameVerdict.BAD_LENGTH);
    }

    @Test
    void shouldCallTheLastWholeRecordOfACutFileValid() {
        int next = Frames.record(segment, FIRST, 1, new byte[16]);
        Frames.record(segment, next, 2, new byte[16]);
        for (int end = next; end < next + 40; end += 8) {
            FrameScanner left = new FrameScanner(segment.slice(0, end).order(segment.order()), SALT, BASE, LENGTH);
            assertThat(left.verdict(FIRST)).isEqualTo(FrameVerdict.VALID);
            assertThat(left.verdict(next)).as("cut at %d", end).isNotEqualTo(FrameVerdict.VALID);
        }
    }

    @Test
    void shouldNotVerifyFramesOfAnotherPlaceOrLife() {
        Frames.record(segment, FIRST, 1, new byte[13]);
        ByteBuffer moved = Frames.segment(LENGTH);
        moved.put(FIRST + 8, segment, FIRST, 40);

        assertThat(Frames.scanner(moved).verdict(FIRST + 8)).isEqualTo(FrameVerdict.BAD_CHECKSUM);
        assertThat(new FrameScanner(segment, SALT + 1, BASE).verdict(FIRST)).isEqualTo(FrameVerdict.BAD_CHECKSUM);
        assertThat(new FrameScanner(segment, SALT, BASE + LENGTH).verdict(FIRST))
                .isEqualTo(FrameVerdict.BAD_CHECKSUM);
    }

    @Test
    void shouldNeverTakeAFrameWithAFlippedBitForValid() {
        List<Integer> offsets = eightFrames();
        int end = scanner.next(offsets.get(7));
        for (int bit = 0; bit < end * 8; bit++) {
            ByteBuffer damaged = Frames.copy(segment);
            Frames.flipBit(damaged, bit);
            FrameScanner judge = Frames.scanner(damaged);
            for (int offset : offsets) {
                int length = Frame.length(segment, offset);
                boolean touched = bit / 8 >= offset && bit / 8 < offset + length;
                assertThat(judge.verdict(offset) == FrameVerdict.VALID)
                        .as("bit %s, frame at %s", bit, offset)
                        .isEqualTo(!touched);
            }
            int found = judge.findValid(0, LENGTH, 1, 8);
            while (found >= 0) {
                assertThat(offsets).as("bit %s", bit).contains(found);
                int length = Frame.length(segment, found);
                assertThat(Frames.bytes(damaged, found, length)).isEqualTo(Frames.bytes(segment, found, length));
                found = judge.findValid(found + 8, LENGTH, 1, 8);
            }
        }
    }

    @Test
    void shouldSurviveAnyGarbage() {
        Seeds.run(200, seed -> {
            Random random = new Random(seed);
            byte[] garbage = new byte[LENGTH];
            random.nextBytes(garbage);
            segment.put(0, garbage);
            for (int offset = 0; offset <= LENGTH; offset += 8) {
                if (random.nextInt(4) == 0 && offset < LENGTH) {
                    segment.putInt(offset, random.nextInt(LENGTH));
                }
                assertThat(scanner.verdict(offset)).isNotEqualTo(FrameVerdict.VALID);
            }
            assertThat(scanner.findValid(0, LENGTH, Long.MIN_VALUE, Long.MAX_VALUE))
                    .isEqualTo(-1);
            assertThat(scanner.endOfData(0)).isBetween(0, LENGTH);
        });
    }

    @Test
    void shouldFindTheNextValidFrameBehindDamage() {
        List<Integer> offsets = eightFrames();
        segment.put(offsets.get(2) + Frame.HEADER_LENGTH, (byte) 99);

        assertThat(scanner.findValid(offsets.get(2), LENGTH, 1, 100)).isEqualTo(offsets.get(3));
        assertThat(scanner.findValid(offsets.get(3), LENGTH, 1, 100)).isEqualTo(offsets.get(3));
        assertThat(scanner.findValid(offsets.get(3) + 1, LENGTH, 1, 100)).isEqualTo(offsets.get(4));
    }

    @Test
    void shouldFindNothingBeforeTheHeaderOrBehindTheRange() {
        List<Integer> offsets = eightFrames();

        assertThat(scanner.findValid(0, LENGTH, 1, 100)).isEqualTo(FIRST);
        assertThat(scanner.findValid(-100, LENGTH, 1, 100)).isEqualTo(FIRST);
        assertThat(scanner.findValid(FIRST + 8, offsets.get(1), 1, 100)).isEqualTo(-1);
        assertThat(scanner.findValid(FIRST + 8, offsets.get(1) + 1, 1, 100)).isEqualTo(offsets.get(1));
        assertThat(scanner.findValid(offsets.get(7) + 8, LENGTH, 1, 100)).isEqualTo(-1);
        assertThat(scanner.findValid(0, Integer.MAX_VALUE, 9, 100)).isEqualTo(-1);
    }

    @Test
    void shouldFindOnlySequenceNumbersOfTheRange() {
        List<Integer> offsets = eightFrames();

        assertThat(scanner.findValid(0, LENGTH, 5, 100)).isEqualTo(offsets.get(4));
        assertThat(scanner.findValid(offsets.get(4), LENGTH, 1, 4)).isEqualTo(-1);
    }

    @Test
    void shouldFindOnlyKnownTypesWithoutReservedBits() {
        int second = Frames.frame(segment, FIRST, 1, (byte) 77, new byte[8]);
        int third = Frames.frame(segment, second, 2, Frame.TYPE_SEAL, new byte[8]);
        assertThat(scanner.findValid(0, LENGTH, 1, 100)).isEqualTo(second);

        segment.putShort(second + Frame.RESERVED_OFFSET, (short) 1);
        Frame.putChecksum(
                segment, second, new FrameChecksum(segment).of(second, Frame.SEAL_LENGTH, SALT, BASE + second));
        Frames.record(segment, third, 3, new byte[0]);
        assertThat(scanner.findValid(0, LENGTH, 1, 100)).isEqualTo(third);
    }

    /** What such a payload costs is bounded, and it hides no short frames behind it. */
    @Test
    void shouldFindAShortFrameBehindAPayloadThatPretendsToBeManyLongOnes() {
        for (int lures = 1; lures <= 150; lures++) {
            segment.put(FIRST, new byte[LENGTH - FIRST]);
            int real = putLures(lures);
            Frames.record(segment, real, 6, new byte[300]);
            assertThat(scanner.findValid(FIRST, LENGTH, 1, 100)).isEqualTo(real);
        }
    }

    @Test
    void shouldPassByAFrameWhoseChecksumWouldCostMoreThanSuchAPayloadHasLeft() {
        int real = putLures(60);
        int next = Frames.record(segment, real, 6, new byte[2_100]);
        Frames.record(segment, next, 7, new byte[8]);

        assertThat(scanner.findValid(FIRST, LENGTH, 1, 100)).isEqualTo(next);
        assertThat(scanner.findValid(real - 10 * Frame.HEADER_LENGTH, LENGTH, 1, 100))
                .isEqualTo(real);
    }

    /** Headers that claim a whole segment; returns the offset behind them. */
    private int putLures(int count) {
        for (int i = 0; i < count; i++) {
            int offset = FIRST + i * Frame.HEADER_LENGTH;
            Frame.putHeader(segment, offset, 5, 0, Frame.TYPE_RECORD, (byte) 0);
            Frame.putLength(segment, offset, LENGTH);
        }
        return FIRST + count * Frame.HEADER_LENGTH;
    }

    @Test
    void shouldFindTheEndOfData() {
        assertThat(scanner.endOfData(FIRST)).isEqualTo(FIRST);
        for (int last : new int[] {FIRST, FIRST + 1, 1000, 1007, LENGTH - 9, LENGTH - 8, LENGTH - 1}) {
            ByteBuffer fresh = Frames.segment(LENGTH);
            fresh.put(last, (byte) 1);
            assertThat(Frames.scanner(fresh).endOfData(FIRST)).isEqualTo(last + 1);
            assertThat(Frames.scanner(fresh).endOfData(last + 1)).isEqualTo(last + 1);
        }
        assertThat(scanner.endOfData(LENGTH)).isEqualTo(LENGTH);
        assertThat(scanner.endOfData(LENGTH - 3)).isEqualTo(LENGTH - 3);
    }

    /** Frames with the sequence numbers 1 to 8 and payloads of many lengths; returns their offsets. */
    private List<Integer> eightFrames() {
        Random random = new Random(8);
        List<Integer> offsets = new ArrayList<>();
        int offset = FIRST;
        for (int i = 1; i <= 8; i++) {
            offsets.add(offset);
            byte[] payload = new byte[i * 5 - 5];
            random.nextBytes(payload);
            offset = Frames.record(segment, offset, i, payload);
        }
        return offsets;
    }
}
