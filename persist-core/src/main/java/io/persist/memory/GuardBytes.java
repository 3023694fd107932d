package io.persist.memory;

import java.util.Arrays;

/**
 * Bytes behind what a caller may fill, as far as its array has them, that get another content meanwhile: whoever goes
 * by the capacity of a buffer or its array, as Agrona's buffers do, may write there and would lose what he writes.
 */
public final class GuardBytes {

    private static final int LENGTH = Long.BYTES;

    private static final byte CONTENT = (byte) 0xA7;

    private GuardBytes() {}

    /** Puts them behind the first {@code length} bytes of {@code memory}. */
    public static void put(byte[] memory, int length) {
        Arrays.fill(memory, length, end(memory, length), CONTENT);
    }

    /** Whether none of those that {@link #put} has put was written to. */
    public static boolean areIntact(byte[] memory, int length) {
        int end = end(memory, length);
        boolean areIntact = true;
        for (int i = length; i < end; i++) {
            areIntact &= memory[i] == CONTENT;
        }
        return areIntact;
    }

    private static int end(byte[] memory, int length) {
        return Math.min(length + LENGTH, memory.length);
    }
}
