package io.persist.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.support.Records;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the payload comes from and wherever the frame goes, it has the same bytes. */
class FrameWriterTest {

    private static final int INDEX = 64;
    private static final long SALT = 11;
    private static final long POSITION = 4096;
    private static final int CAPACITY = 64 << 10;

    /** The frame as it is specified, all but its length. */
    private static ByteBuffer expected(byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
        int length = Frame.HEADER_LENGTH + payload.length;
        Frame.putHeader(frame, INDEX, 7, 5, Frame.TYPE_RECORD, Frame.FLAG_STARTS_COMMIT);
        frame.put(INDEX + Frame.HEADER_LENGTH, payload);
        Frame.putChecksum(frame, INDEX, new FrameChecksum(frame).of(INDEX, length, SALT, POSITION));
        return frame;
    }

    /** What was there before: the payload's last bytes, and those behind it, have to become what they should. */
    private static void soil(ByteBuffer target, int length) {
        for (int i = 0; i < Frame.aligned(Frame.HEADER_LENGTH + length) - Frame.HEADER_LENGTH; i++) {
            target.put(INDEX + Frame.HEADER_LENGTH + i, (byte) 0x5A);
        }
    }

    private static final long STATE = Frame.stateWord(5, Frame.TYPE_RECORD, Frame.FLAG_STARTS_COMMIT);

    private static FrameWriter writer(ByteBuffer target) {
        FrameWriter writer = new FrameWriter(target);
        writer.moveTo(target, SALT, POSITION - INDEX);
        return writer;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 200, 511, 512, 513, 520, 8167, 8168, 8169, 16_336, 16_337, 50_000})
    void shouldStoreTheSameBytesFromEverySource(int length) {
        byte[] payload = Records.of(length, length);
        byte[] within = new byte[length + 6];
        System.arraycopy(payload, 0, within, 3, length);
        ByteBuffer direct = ByteBuffer.allocateDirect(length + 6).put(0, within);
        for (ByteBuffer target :
                new ByteBuffer[] {ByteBuffer.allocate(CAPACITY), ByteBuffer.allocateDirect(CAPACITY)}) {
            soil(target, length);
            writer(target).put(INDEX, 7, STATE, within, 3, length);
            assertThat(target).as("array").isEqualTo(expected(payload));
            soil(target, length);
            writer(target).put(INDEX, 7, STATE, direct, 3, length);
            assertThat(target).as("direct").isEqualTo(expected(payload));
            soil(target, length);
            writer(target).put(INDEX, 7, STATE, ByteBuffer.wrap(within).asReadOnlyBuffer(), 3, length);
            assertThat(target).as("read-only").isEqualTo(expected(payload));
        }
    }

    @Test
    void shouldStoreNothingOfWhatIsOutOfRange() {
        ByteBuffer target = ByteBuffer.allocateDirect(CAPACITY);
        FrameWriter writer = writer(target);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> writer.put(INDEX, 7, STATE, new byte[20_010], 11, 20_000));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> writer.put(INDEX, 7, STATE, ByteBuffer.allocate(20_010), 11, 20_000));
        assertThat(target).isEqualTo(ByteBuffer.allocate(CAPACITY));
    }

    /** As when another thread takes the source's memory back; here it is the target that ends. */
    @ParameterizedTest
    @ValueSource(ints = {8168, 20_000, 40_000})
    void shouldClearAwayAFrameThatHasFailedHalfWay(int room) {
        ByteBuffer payload = ByteBuffer.wrap(Records.of(1, 50_000));
        ByteBuffer target = ByteBuffer.allocateDirect(INDEX + Frame.HEADER_LENGTH + room);
        FrameWriter writer = writer(target);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> writer.put(INDEX, 7, STATE, payload, 0, 50_000));
        assertThat(target).isNotEqualTo(ByteBuffer.allocate(target.capacity()));
        writer.clear(INDEX, target.capacity());
        assertThat(target).isEqualTo(ByteBuffer.allocate(target.capacity()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 513, 8168, 50_000})
    void shouldClearAwayAFrameAndNothingElse(int length) {
        ByteBuffer target = ByteBuffer.allocateDirect(CAPACITY);
        int end = INDEX + Frame.HEADER_LENGTH + length;
        target.put(INDEX - 1, (byte) 1).put(Frame.aligned(end), (byte) 1);
        ByteBuffer before = ByteBuffer.allocate(CAPACITY).put(0, target, 0, CAPACITY);
        writer(target).put(INDEX, 7, STATE, Records.of(1, length), 0, length);
        assertThat(target).isNotEqualTo(before);
        writer(target).clear(INDEX, end);
        assertThat(target).isEqualTo(before);
    }
}
