package io.persist.support;

/** A heap in which no memory is left, for a JVM of its own with a small one. */
public final class FullHeap {

    private FullHeap() {}

    /** Fills the heap, with nothing that would need memory itself; it is full as long as {@code ballast} is as it is. */
    public static void fill(Object[] ballast) {
        int count = 0;
        for (int length = 1 << 20; length >= 0; length = length == 0 ? -1 : length >> 2) {
            try {
                while (count < ballast.length) {
                    ballast[count] = new byte[length];
                    count++;
                }
            } catch (OutOfMemoryError full) {
                // For this length.
            }
        }
    }
}
