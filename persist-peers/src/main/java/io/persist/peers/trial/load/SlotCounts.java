package io.persist.peers.trial.load;

import java.util.Arrays;

/** How many messages got through in each of equal slots of time. */
final class SlotCounts {

    private static final int FIRST_CAPACITY = 1 << 16;

    private long[] counts = new long[FIRST_CAPACITY];
    private int size;
    private long total;

    /** The next slot has ended, when so many had got through in all. */
    void end(long totalThen) {
        if (size == counts.length) {
            counts = Arrays.copyOf(counts, 2 * size);
        }
        counts[size++] = totalThen - total;
        total = totalThen;
    }

    /** Slots that have ended. */
    int size() {
        return size;
    }

    /** How many slots, one after the other, had each less than a tenth of the mean, at most. */
    int longestBelowTenth() {
        int longest = 0;
        int stretch = 0;
        for (int i = 0; i < size; i++) {
            stretch = 10.0 * counts[i] * size < total ? stretch + 1 : 0;
            longest = Math.max(longest, stretch);
        }
        return longest;
    }
}
