package io.persist.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A buffer over an array that is used again and again. It grows to the longest length that is asked for, and drops a
 * very long array as soon as a shorter one is enough.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once it has the length, up to {@link #MAX_KEPT}.
 */
public final class ReusedBuffer {

    /** The longest that is kept for good, bytes. */
    public static final int MAX_KEPT = 1 << 20;

    private static final int MIN_LENGTH = 256;

    private ByteBuffer buffer = ByteBuffer.allocate(0);

    /** A little-endian buffer whose array has {@code length} bytes or more. Its bytes are anything. */
    public ByteBuffer ofLength(int length) {
        int kept = buffer.capacity();
        if (length > kept || kept > MAX_KEPT && length <= MAX_KEPT) {
            int newLength = length > MAX_KEPT ? length : Math.max(MIN_LENGTH, nextPowerOfTwo(length));
            buffer = ByteBuffer.allocate(newLength).order(ByteOrder.LITTLE_ENDIAN);
        }
        return buffer;
    }

    /** Lets go of it if it is longer than {@code most} bytes: nobody needs it for now. */
    public void rest(int most) {
        if (buffer.capacity() > most) {
            buffer = ByteBuffer.allocate(0);
        }
    }

    private static int nextPowerOfTwo(int length) {
        return Integer.highestOneBit(length * 2 - 1);
    }
}
