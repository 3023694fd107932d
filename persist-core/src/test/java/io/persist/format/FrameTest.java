package io.persist.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameTest {

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 8", "7, 8", "8, 8", "9, 16", "24, 24", "25, 32", "2147483640, 2147483640"})
    void shouldAlignLengthsToEightBytes(int length, int aligned) {
        assertThat(Frame.aligned(length)).isEqualTo(aligned);
    }

    @Test
    void shouldFitTheLargestPayloadAndASealIntoASegment() {
        int segmentLength = 4096;
        int largest = Frame.aligned(Frame.HEADER_LENGTH + Frame.maxPayload(segmentLength));
        assertThat(SegmentHeader.LENGTH + largest + Frame.SEAL_LENGTH).isLessThanOrEqualTo(segmentLength);
    }

    @Test
    void shouldStoreEachFieldAtItsPlaceInLittleEndian() {
        Frame.putHeader(buffer, 8, 0x0102030405060708L, 0x11121314, (byte) 0x21, (byte) 0x31);
        Frame.putChecksum(buffer, 8, 0x41424344);
        Frame.publishRelease(buffer, 8, 0x51525354);

        assertThat(Frames.bytes(buffer, 8, Frame.HEADER_LENGTH))
                .containsExactly(
                        0x54, 0x53, 0x52, 0x51, // length
                        0x44, 0x43, 0x42, 0x41, // checksum
                        8, 7, 6, 5, 4, 3, 2, 1, // sequence
                        0x14, 0x13, 0x12, 0x11, // unsynced
                        0x21, 0x31, 0, 0); // type, flags, reserved
        assertThat(Frame.length(buffer, 8)).isEqualTo(0x51525354);
        assertThat(Frame.lengthAcquire(buffer, 8)).isEqualTo(0x51525354);
        assertThat(Frame.checksum(buffer, 8)).isEqualTo(0x41424344);
        assertThat(Frame.sequence(buffer, 8)).isEqualTo(0x0102030405060708L);
        assertThat(Frame.type(buffer, 8)).isEqualTo((byte) 0x21);
        assertThat(Frame.flags(buffer, 8)).isEqualTo((byte) 0x31);
    }

    @Test
    void shouldKeepNegativeBytesAndUnsyncedFromSpillingIntoNeighbours() {
        Frame.putHeader(buffer, 0, -1, -1, (byte) -2, (byte) -3);

        assertThat(Frame.type(buffer, 0)).isEqualTo((byte) -2);
        assertThat(Frame.flags(buffer, 0)).isEqualTo((byte) -3);
        assertThat(buffer.getShort(Frame.RESERVED_OFFSET)).isZero();
    }

    @Test
    void shouldWriteTheSameBytesToAHeapBuffer() {
        ByteBuffer heap = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        for (ByteBuffer target : new ByteBuffer[] {heap, buffer}) {
            Frame.putHeader(target, 8, 42, 7, Frame.TYPE_SEAL, Frame.FLAG_STARTS_COMMIT);
            target.put(8 + Frame.HEADER_LENGTH, Frame.sealPayload(1234567890123L));
            Frame.putChecksum(target, 8, -5);
            Frame.putLength(target, 8, Frame.SEAL_LENGTH);
        }
        assertThat(heap).isEqualTo(buffer);
        assertThat(Frame.sealTimeMs(heap, 8)).isEqualTo(1234567890123L);
    }

    @Test
    void shouldClearNothingButTheLastEightBytes() {
        for (int i = 0; i < 64; i++) {
            buffer.put(i, (byte) 1);
        }
        Frame.clearPadding(buffer, 8, 32);

        assertThat(Frames.bytes(buffer, 32, 8)).containsOnly(0);
        assertThat(Frames.bytes(buffer, 0, 32)).containsOnly(1);
        assertThat(Frames.bytes(buffer, 40, 24)).containsOnly(1);
    }

    @ParameterizedTest
    @CsvSource({
        // position, synced, what the frame says later
        "1000, 1000, 1000",
        "1000, 64, 64",
        "1000, 0, 0",
        "4000000000, 3999999999, 3999999999",
        "2147483646, 0, 0",
        "2147483647, 1, 1",
        "4000000000, 0, 0",
        "4294967296, 64, 0"
    })
    void shouldTellHowFarTheLogWasSynced(long position, long synced, long expected) {
        Frame.putHeader(buffer, 0, 1, Frame.unsynced(position, synced), Frame.TYPE_RECORD, (byte) 0);
        assertThat(Frame.syncedPosition(buffer, 0, position)).isEqualTo(expected);
    }

    @Test
    void shouldNeverTellMoreThanItsOwnPosition() {
        for (int unsynced : new int[] {-1, Integer.MIN_VALUE, Frame.UNSYNCED_UNKNOWN, 2000}) {
            Frame.putHeader(buffer, 0, 1, unsynced, Frame.TYPE_RECORD, (byte) 0);
            assertThat(Frame.syncedPosition(buffer, 0, 1000)).isZero();
        }
    }
}
