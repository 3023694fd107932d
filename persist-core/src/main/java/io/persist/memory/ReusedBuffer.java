package io.persist.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

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

    private final IntFunction<ByteBuffer> allocation;
    private ByteBuffer buffer;

    /** A buffer over an array. */
    public ReusedBuffer() {
        this(ByteBuffer::allocate);
    }

    private ReusedBuffer(IntFunction<ByteBuffer> allocation) {
        this.allocation = allocation;
        this.buffer = allocation.apply(0);
    }

    /** A direct buffer; the garbage collector frees its memory when nobody has it any more. */
    public static ReusedBuffer direct() {
        return new ReusedBuffer(ByteBuffer::allocateDirect);
    }

    /** A little-endian buffer whose array has {@code length} bytes or more. Its bytes are anything. */
    public ByteBuffer ofLength(int length) {
        int kept = buffer.capacity();
        if (length > kept || kept > MAX_KEPT && length <= MAX_KEPT) {
            int newLength = length > MAX_KEPT ? length : Math.max(MIN_LENGTH, nextPowerOfTwo(length));
            buffer = allocation.apply(newLength).order(ByteOrder.LITTLE_ENDIAN);
        }
        return buffer;
    }

    /** Lets go of it if it is longer than {@code most} bytes: nobody needs it for now. */
    public void shrink(int most) {
        if (buffer.capacity() > most) {
            buffer = allocation.apply(0);
        }
    }

    private static int nextPowerOfTwo(int length) {
        return Integer.highestOneBit(length * 2 - 1);
    }
}
