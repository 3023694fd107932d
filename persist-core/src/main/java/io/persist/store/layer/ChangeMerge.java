package io.persist.store.layer;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Merges runs of changes, each in the order of its keys, until there is one. Of each key it has 8 bytes at hand, from
 * where the keys begin to differ; mostly these decide, and the key, which may not be in a near cache, is not read.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> 20 bytes for each change.
 */
final class ChangeMerge {

    private static final int FIRST_RUNS = 16;

    private final ByteBuffer changes;
    private final int count;
    private int[] source;
    private int[] target;
    private long[] sourceHeads;
    private long[] targetHeads;

    /** Of {@code count} changes at these offsets, which are not to be used any more. */
    ChangeMerge(ByteBuffer changes, int[] entries, int count) {
        this.changes = changes;
        this.count = count;
        this.source = entries;
        this.target = new int[count];
        this.sourceHeads = new long[count];
        this.targetHeads = new long[count];
        int common = commonLength();
        for (int i = 0; i < count; i++) {
            sourceHeads[i] = head(entries[i], common);
        }
    }

    /** How many bytes all keys begin with alike. */
    private int commonLength() {
        byte[] array = changes.array();
        int first = keyIndex(source[0]);
        int common = keyEnd(changes, source[0]) - first;
        for (int i = 1; i < count; i++) {
            int from = keyIndex(source[i]);
            int to = Math.min(keyEnd(changes, source[i]), from + common);
            int differs = Arrays.mismatch(array, first, first + common, array, from, to);
            common = differs < 0 ? common : differs;
        }
        return common;
    }

    /** 8 bytes of the key, with zeros behind a key that is shorter, so that they have the order of unsigned numbers. */
    private long head(int entry, int from) {
        int index = keyIndex(entry) + from;
        int left = keyEnd(changes, entry) - index;
        if (left >= Long.BYTES) {
            return Long.reverseBytes(changes.getLong(index)); // it is little-endian
        }
        long head = 0;
        for (int i = 0; i < left; i++) {
            head |= (changes.get(index + i) & 0xFFL) << (Long.SIZE - Byte.SIZE - i * Byte.SIZE);
        }
        return head;
    }

    /** Puts all changes in order. */
    void mergeAll() {
        int[] ends = new int[FIRST_RUNS];
        int runs = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || compare(i - 1, i) > 0) {
                ends = runs == ends.length ? Arrays.copyOf(ends, 2 * runs) : ends;
                ends[runs++] = i;
            }
        }
        merge(ends, runs);
    }

    /** Merges {@code runs} runs, each of which ends where the next one begins. */
    private void merge(int[] ends, int runs) {
        int left = runs;
        while (left > 1) {
            int merged = 0;
            int start = 0;
            for (int run = 0; run < left; run += 2) {
                int middle = ends[run];
                int end = run + 1 < left ? ends[run + 1] : middle;
                merge(start, middle, end);
                start = end;
                ends[merged++] = end;
            }
            left = merged;
            swap();
        }
    }

    /** The offsets in order. */
    int[] entries() {
        return source;
    }

    /** Takes all changes but the last one of each key out; returns how many are left. They have to be in order. */
    int keepLast() {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (i + 1 == count || compare(i, i + 1) != 0) {
                source[kept++] = source[i];
            }
        }
        return kept;
    }

    /** Of changes of one key the earlier one stays before the later one. */
    private void merge(int start, int middle, int end) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            boolean isLeft = right == end || left < middle && compare(left, right) <= 0;
            int from = isLeft ? left++ : right++;
            target[i] = source[from];
            targetHeads[i] = sourceHeads[from];
        }
    }

    private int compare(int one, int other) {
        int order = Long.compareUnsigned(sourceHeads[one], sourceHeads[other]);
        return order != 0 ? order : ChangeOrder.compare(changes, source[one], source[other]);
    }

    private void swap() {
        int[] sorted = target;
        target = source;
        source = sorted;
        long[] sortedHeads = targetHeads;
        targetHeads = sourceHeads;
        sourceHeads = sortedHeads;
    }
}
