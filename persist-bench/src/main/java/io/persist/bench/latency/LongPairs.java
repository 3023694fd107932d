package io.persist.bench.latency;

import java.util.Arrays;

/**
 * A queue of pairs of longs that grows as needed.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none, but to grow.
 */
public final class LongPairs {

    private long[] values;
    private int head;
    private int size;

    /** @param capacity pairs that fit before it has to grow, a power of two */
    public LongPairs(int capacity) {
        values = new long[2 * capacity];
    }

    void add(long first, long second) {
        if (2 * size == values.length) {
            grow();
        }
        int at = at(size);
        values[at] = first;
        values[at + 1] = second;
        size++;
    }

    private void grow() {
        long[] larger = Arrays.copyOf(values, 2 * values.length);
        // What had wrapped around goes behind what had not.
        System.arraycopy(values, 0, larger, values.length, 2 * head);
        values = larger;
    }

    private int at(int index) {
        return 2 * (head + index) & values.length - 1;
    }

    public int size() {
        return size;
    }

    /** The first value of the pair at {@code index}, counted from the oldest. */
    public long first(int index) {
        return values[at(index)];
    }

    public long second(int index) {
        return values[at(index) + 1];
    }

    /** Takes away the oldest pairs. */
    void removeFirst(int count) {
        head = at(count) / 2;
        size -= count;
    }

    void clear() {
        removeFirst(size);
    }
}
