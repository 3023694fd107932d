package io.persist.jcstress;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Direct memory for the states of stress tests, of which jcstress makes millions: a direct buffer for each would be too
 * slow. A place is given again after all others were; by then jcstress has replaced the state that had it, as it keeps
 * at most 10,240 of them.
 */
public final class DirectMemory {

    /** The longest that a state can have, bytes. */
    public static final int MAX_LENGTH = 1024;

    private static final int PLACES = 32_768;
    private static final byte[] ZEROS = new byte[MAX_LENGTH];
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(PLACES * MAX_LENGTH);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private DirectMemory() {}

    /** {@code length} bytes of zeros, little-endian, on a cache line of their own. */
    public static ByteBuffer zeros(int length) {
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("length=" + length + ", min=0, max=" + MAX_LENGTH);
        }
        int place = NEXT.getAndIncrement() & PLACES - 1;
        return MEMORY.slice(place * MAX_LENGTH, length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, ZEROS, 0, length);
    }
}
