package io.persist.store.layer;

import io.persist.format.TransactionLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Changes of a transaction in the order of their keys, of each key the last one. Runs of changes that are in order
 * already are merged; so it costs little where a transaction goes through the keys in order.
 *
 * <p><b>Threads:</b> any; it does not change. <b>Allocation:</b> 4 bytes for each change if there is one run, else
 * up to 28.
 */
public final class ChangeOrder {

    /** No change. */
    public static final ChangeOrder NONE = new ChangeOrder(new int[0], 0);

    private static final int FIRST_RUNS = 16;

    private final int[] entries;
    private final int count;

    private ChangeOrder(int[] entries, int count) {
        this.entries = entries;
        this.count = count;
    }

    /** The order of all changes of single keys in a transaction of {@code length} bytes with so many changes. */
    public static ChangeOrder ofAll(ByteBuffer changes, int length, int count) {
        int[] entries = new int[count];
        int keys = 0;
        int next;
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < length; entry = next) {
            int keyLength = TransactionLayout.keyLength(changes, entry);
            next = entry + TransactionLayout.entryLength(keyLength, TransactionLayout.valueLength(changes, entry));
            if (TransactionLayout.entryType(changes, entry) != TransactionLayout.ENTRY_REMOVE_RANGE) {
                entries[keys++] = entry;
            }
        }
        return of(changes, entries, keys);
    }

    /**
     * The order of {@code count} changes.
     *
     * @param changes has an array, and a transaction at its beginning
     * @param entries the offsets of the changes, ascending; not to be used any more
     */
    public static ChangeOrder of(ByteBuffer changes, int[] entries, int count) {
        int[] sorted = sort(changes, entries, count);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (i + 1 == count || compare(changes, sorted[i], sorted[i + 1]) != 0) {
                sorted[kept++] = sorted[i];
            }
        }
        return new ChangeOrder(sorted, kept);
    }

    /** How many keys have changes. */
    public int count() {
        return count;
    }

    /** The offset of the last change of the key of this number, 0 being the first in order. */
    public int entry(int index) {
        return entries[index];
    }

    /** Changes of one key stay in their order. */
    private static int[] sort(ByteBuffer changes, int[] entries, int count) {
        int[] ends = new int[FIRST_RUNS];
        int runs = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || compare(changes, entries[i - 1], entries[i]) > 0) {
                ends = runs == ends.length ? Arrays.copyOf(ends, 2 * runs) : ends;
                ends[runs++] = i;
            }
        }
        return runs <= 1 ? entries : new ChangeMerge(changes, entries, count).merge(ends, runs);
    }

    static int compare(ByteBuffer changes, int one, int other) {
        byte[] array = changes.array();
        return Arrays.compareUnsigned(
                array, keyIndex(one), keyEnd(changes, one), array, keyIndex(other), keyEnd(changes, other));
    }

    static int keyIndex(int entry) {
        return entry + TransactionLayout.ENTRY_HEADER_LENGTH;
    }

    static int keyEnd(ByteBuffer changes, int entry) {
        return keyIndex(entry) + TransactionLayout.keyLength(changes, entry);
    }
}
