package io.persist.store.layer;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Changes of a transaction in the order of their keys, of each key the last one; and the ranges that it removes. Runs
 * of changes that are in order already are merged; so it costs little where a transaction goes through the keys in
 * order.
 *
 * <p><b>Threads:</b> any; it does not change, but for where its ranges lie. <b>Allocation:</b> 4 bytes for each change
 * if there is one run, else up to 28; some 100 and its keys for each range.
 */
public final class ChangeOrder {

    private static final RemovedRange[] NOTHING_REMOVED = {};

    /** No change. */
    public static final ChangeOrder NONE = new ChangeOrder(ByteBuffer.allocate(0), new int[0], 0);

    private final int[] entries;
    private final int count;
    private final long putBytes;
    private final RemovedRange[] removed;

    private ChangeOrder(ByteBuffer changes, int[] entries, int count) {
        this.entries = entries;
        this.count = count;
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += putBytes(changes, entries[i]);
        }
        this.putBytes = bytes;
        this.removed = NOTHING_REMOVED;
    }

    private ChangeOrder(ChangeOrder keys, RemovedRange[] removed) {
        this.entries = keys.entries;
        this.count = keys.count;
        this.putBytes = keys.putBytes;
        this.removed = removed;
    }

    /**
     * The order of all changes of single keys in a transaction of {@code length} bytes with so many changes, and its
     * ranges.
     */
    public static ChangeOrder ofAll(ByteBuffer changes, int length, int count) {
        int[] entries = new int[count];
        int keys = 0;
        List<RemovedRange> ranges = new ArrayList<>();
        for (int entry = TransactionLayout.HEADER_LENGTH;
                entry < length;
                entry = TransactionLayout.next(changes, entry)) {
            if (TransactionLayout.entryType(changes, entry) == TransactionLayout.ENTRY_REMOVE_RANGE) {
                ranges.add(new RemovedRange(changes, entry, entry));
            } else {
                entries[keys++] = entry;
            }
        }
        return new ChangeOrder(of(changes, entries, keys), ranges.toArray(NOTHING_REMOVED));
    }

    /**
     * The order of {@code count} changes.
     *
     * @param changes has an array, and a transaction at its beginning
     * @param entries the offsets of the changes, ascending, or of parts that were {@link #sort sorted} one after the
     *     other; not to be used any more
     */
    public static ChangeOrder of(ByteBuffer changes, int[] entries, int count) {
        if (isInOrder(changes, entries, count)) {
            return new ChangeOrder(changes, entries, keepLast(changes, entries, count));
        }
        ChangeMerge merge = new ChangeMerge(changes, entries, count);
        merge.mergeAll();
        return new ChangeOrder(changes, merge.entries(), merge.keepLast());
    }

    /** The same changes in the order of their keys, and those of one key in the order in which they were. */
    static int[] sort(ByteBuffer changes, int[] entries) {
        if (isInOrder(changes, entries, entries.length)) {
            return entries;
        }
        ChangeMerge merge = new ChangeMerge(changes, entries, entries.length);
        merge.mergeAll();
        return merge.entries();
    }

    private static boolean isInOrder(ByteBuffer changes, int[] entries, int count) {
        for (int i = 1; i < count; i++) {
            if (compare(changes, entries[i - 1], entries[i]) > 0) {
                return false;
            }
        }
        return true;
    }

    private static int keepLast(ByteBuffer changes, int[] entries, int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (i + 1 == count || compare(changes, entries[i], entries[i + 1]) != 0) {
                entries[kept++] = entries[i];
            }
        }
        return kept;
    }

    /** How many keys have changes. */
    public int count() {
        return count;
    }

    /** The offset of the last change of the key of this number, 0 being the first in order. */
    public int entry(int index) {
        return entries[index];
    }

    /** The ranges, each at its offset until {@link RemovedRange#appendedAt}. */
    public RemovedRange[] removed() {
        return removed;
    }

    /** The bytes of all keys that get a value. */
    public long putBytes() {
        return putBytes;
    }

    /** The bytes of the key of the change at {@code entry}, if that gives it a value; else 0. */
    public static int putBytes(ByteBuffer changes, int entry) {
        return TransactionLayout.isPut(changes, entry) ? TransactionLayout.keyLength(changes, entry) : 0;
    }

    /** The offset of the change of {@code key}; a negative number if there is none. */
    public int find(ByteBuffer changes, KeyBuffer key) {
        int index = search(changes, 0, key.bytes(), key.length());
        return index < count && compare(changes, index, key) == 0 ? entry(index) : -1;
    }

    /** The number of the first change from {@code first} on whose key is not less than the one in {@code bytes}. */
    public int search(ByteBuffer changes, int first, byte[] bytes, int length) {
        int low = first;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(changes, middle, bytes, length) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    int compare(ByteBuffer changes, int index, KeyBuffer key) {
        return compare(changes, index, key.bytes(), key.length());
    }

    private int compare(ByteBuffer changes, int index, byte[] bytes, int length) {
        int entry = entries[index];
        int from = keyIndex(entry);
        int to = keyEnd(changes, entry);
        return Arrays.compareUnsigned(changes.array(), from, to, bytes, 0, length);
    }

    static int compare(ByteBuffer changes, int one, int other) {
        byte[] array = changes.array();
        return Arrays.compareUnsigned(
                array, keyIndex(one), keyEnd(changes, one), array, keyIndex(other), keyEnd(changes, other));
    }
}
