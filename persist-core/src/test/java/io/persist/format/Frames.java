package io.persist.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes frames into a segment for tests, as a writer does. */
public final class Frames {

    public static final long SALT = 0x5EED_0F_5A17L;
    public static final long BASE = 1L << 20;

    private Frames() {}

    public static ByteBuffer segment(int length) {
        ByteBuffer segment = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        segment.put(0, new SegmentHeader(BASE, length, SALT, 1, 2).encode());
        return segment;
    }

    /** Publishes a record; returns the offset after it. */
    public static int record(ByteBuffer segment, int offset, long sequence, byte[] payload) {
        return frame(segment, offset, sequence, Frame.TYPE_RECORD, payload);
    }

    public static int frame(ByteBuffer segment, int offset, long sequence, byte type, byte[] payload) {
        int length = Frame.HEADER_LENGTH + payload.length;
        int aligned = Frame.aligned(length);
        Frame.clearPadding(segment, offset, aligned);
        Frame.putHeader(segment, offset, sequence, 0, type, (byte) 0);
        segment.put(offset + Frame.HEADER_LENGTH, payload);
        Frame.putChecksum(segment, offset, new FrameChecksum(segment).of(offset, length, SALT, BASE + offset));
        Frame.publishRelease(segment, offset, length);
        return offset + aligned;
    }

    public static FrameScanner scanner(ByteBuffer segment) {
        return new FrameScanner(segment, SALT, BASE);
    }

    public static ByteBuffer copy(ByteBuffer segment) {
        ByteBuffer copy = ByteBuffer.allocateDirect(segment.capacity()).order(ByteOrder.LITTLE_ENDIAN);
        copy.put(0, segment, 0, segment.capacity());
        return copy;
    }

    public static void flipBit(ByteBuffer buffer, int bit) {
        buffer.put(bit / 8, (byte) (buffer.get(bit / 8) ^ 1 << bit % 8));
    }

    public static byte[] bytes(ByteBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.get(offset, bytes);
        return bytes;
    }
}
