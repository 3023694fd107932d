package io.persist.store.staged;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import io.persist.store.KeyRange;
import io.persist.store.layer.RemovedRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that a transaction has removed by now: where the changes are that say so. A range removes what lies before
 * it, in the store and in the transaction; what is put behind it stays.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once it had as many.
 */
public final class StagedRanges {

    static final int NONE = -1;

    private int[] entries;
    private int count;

    StagedRanges() {
        this(new int[4], 0);
    }

    private StagedRanges(int[] entries, int count) {
        this.entries = entries;
        this.count = count;
    }

    /** Those of this moment that meet {@code range}; their changes are in {@code changes}. */
    StagedRanges in(KeyRange range, ByteBuffer changes) {
        byte[] from = range.firstKey();
        byte[] below = range.limit();
        int[] those = new int[count];
        int met = 0;
        for (int i = 0; i < count; i++) {
            if (meets(entries[i], changes, from, below)) {
                those[met++] = entries[i];
            }
        }
        return new StagedRanges(Arrays.copyOf(those, Math.max(1, met)), met);
    }

    void clear() {
        count = 0;
    }

    /** Makes sure that the next one can be added. */
    void ensureCapacity() {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
        }
    }

    /** Adds one, for which there is room. */
    void add(int entry) {
        entries[count++] = entry;
    }

    /** Whether none is removed. */
    public boolean isEmpty() {
        return count == 0;
    }

    /**
     * The offset in {@code changes} of the last one before {@code end} that has the key in {@code [from, to)} of {@code
     * bytes}, or {@link #NONE}.
     */
    int lastBefore(int end, ByteBuffer changes, byte[] bytes, int from, int to) {
        for (int i = count - 1; i >= 0; i--) {
            if (entries[i] < end && contains(entries[i], changes, bytes, from, to)) {
                return entries[i];
            }
        }
        return NONE;
    }

    /** The same for the key of the change at {@code entry} of {@code changes}. */
    public int lastBefore(int end, ByteBuffer changes, int entry) {
        int key = keyIndex(entry);
        return lastBefore(end, changes, changes.array(), key, keyEnd(changes, entry));
    }

    /** They themselves; their changes are in {@code changes}. */
    RemovedRange[] removed(ByteBuffer changes) {
        RemovedRange[] removed = new RemovedRange[count];
        for (int i = 0; i < count; i++) {
            removed[i] = new RemovedRange(changes, entries[i], entries[i]);
        }
        return removed;
    }

    /** What is left of {@code parts} without the keys of these ranges, whose changes are in {@code changes}. */
    List<KeyRange> takenFrom(List<KeyRange> parts, ByteBuffer changes) {
        List<KeyRange> left = parts;
        for (int i = 0; i < count; i++) {
            int first = keyIndex(entries[i]);
            int limit = keyEnd(changes, entries[i]);
            int end = limit + TransactionLayout.valueLength(changes, entries[i]);
            KeyRange before = KeyRange.below(Arrays.copyOfRange(changes.array(), first, limit));
            KeyRange behind = KeyRange.from(Arrays.copyOfRange(changes.array(), limit, end));
            List<KeyRange> those = left;
            left = new ArrayList<>();
            for (KeyRange part : those) {
                ChangedKeys.add(left, part.intersection(before));
                if (limit < end) {
                    ChangedKeys.add(left, part.intersection(behind));
                }
            }
        }
        return left;
    }

    private static boolean meets(int entry, ByteBuffer changes, byte[] from, byte @Nullable [] below) {
        int first = keyIndex(entry);
        int limit = keyEnd(changes, entry);
        int end = limit + TransactionLayout.valueLength(changes, entry);
        byte[] array = changes.array();
        return (below == null || Arrays.compareUnsigned(array, first, limit, below, 0, below.length) < 0)
                && (limit == end || Arrays.compareUnsigned(array, limit, end, from, 0, from.length) > 0);
    }

    private static boolean contains(int entry, ByteBuffer changes, byte[] bytes, int from, int to) {
        int first = keyIndex(entry);
        int limit = keyEnd(changes, entry);
        int end = limit + TransactionLayout.valueLength(changes, entry);
        byte[] array = changes.array();
        return Arrays.compareUnsigned(bytes, from, to, array, first, limit) >= 0
                && (limit == end || Arrays.compareUnsigned(bytes, from, to, array, limit, end) < 0);
    }
}
