package io.persist.store.state;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import io.persist.store.KeyRange;
import io.persist.store.staged.StagedChanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notices whether a key of some ranges is changed.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none after the constructor.
 */
public final class RangeWatch extends RecentChanges.Watch {

    /** Of ranges that neither meet nor overlap, ascending: the first key, and the key at which each ends. */
    private final byte[][] firsts;

    /** Null in place of an end: the last range may have none. */
    private final byte[] @Nullable [] limits;

    private final int count;

    /** For these, each of which may have keys. */
    public RangeWatch(List<KeyRange> ranges) {
        List<KeyRange> sorted = new ArrayList<>(ranges);
        sorted.sort((one, other) -> Arrays.compareUnsigned(one.firstKey(), other.firstKey()));
        firsts = new byte[sorted.size()][];
        limits = new byte[sorted.size()][];
        int disjoint = 0;
        for (KeyRange range : sorted) {
            byte[] first = range.firstKey();
            byte[] limit = range.limit();
            if (disjoint > 0 && isAtOrBelow(first, limits[disjoint - 1])) {
                limits[disjoint - 1] = greater(limits[disjoint - 1], limit);
            } else {
                firsts[disjoint] = first;
                limits[disjoint++] = limit;
            }
        }
        count = disjoint;
    }

    private static boolean isAtOrBelow(byte[] key, byte @Nullable [] limit) {
        return limit == null || Arrays.compareUnsigned(key, limit) <= 0;
    }

    private static byte @Nullable [] greater(byte @Nullable [] one, byte @Nullable [] other) {
        return one == null || other == null ? null : Arrays.compareUnsigned(one, other) > 0 ? one : other;
    }

    @Override
    Seen look(StagedChanges staged, int entry) {
        int range = firstEndingBehind(staged.array(), keyIndex(entry), keyEnd(staged.buffer(), entry));
        return range < count && isTouched(firsts[range], staged, entry) ? Seen.CHANGE : Seen.NOTHING;
    }

    /** Whether there is a change at or behind {@code first}. */
    private static boolean isTouched(byte[] first, StagedChanges staged, int entry) {
        byte[] array = staged.array();
        int keyEnd = keyEnd(staged.buffer(), entry);
        if (!staged.removesRange(entry)) {
            return Arrays.compareUnsigned(first, 0, first.length, array, keyIndex(entry), keyEnd) <= 0;
        }
        int limitEnd = keyEnd + TransactionLayout.valueLength(staged.buffer(), entry);
        return keyEnd == limitEnd || Arrays.compareUnsigned(first, 0, first.length, array, keyEnd, limitEnd) < 0;
    }

    /** The number of the first range that ends behind the key in {@code [from, to)} of {@code array}. */
    private int firstEndingBehind(byte[] array, int from, int to) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            byte[] limit = limits[middle];
            if (limit == null || Arrays.compareUnsigned(limit, 0, limit.length, array, from, to) > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
