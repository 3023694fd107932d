package io.persist.store.state;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import io.persist.store.KeyRange;
import io.persist.store.staged.StagedChanges;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notices whether one of some keys is changed, or a key of some ranges, from when it is {@linkplain RecentChanges#watch
 * begun} on: so what was looked at before the commit need not be looked at again in it. In a bounded time: of a
 * transaction of more than {@value #MOST_CHANGES} changes it does not look at the keys, and cannot say; nor whether one
 * of the single keys is in a range that is removed.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none after the constructor.
 */
public final class RangeWatch {

    static final int MOST_CHANGES = 1024;

    /** Of ranges that neither meet nor overlap, ascending: the first key, and the key at which each ends. */
    private final byte[][] firsts;

    /** Null in place of an end: the last range may have none. */
    private final byte[] @Nullable [] limits;

    private final int count;
    private final WatchedKeys keys;
    private boolean isTouched;
    private boolean isUnsure;

    /** For these, which do not change; each is all of its array. */
    public RangeWatch(Set<ByteBuffer> keys) {
        this(List.of(), keys);
    }

    /** For the keys of these ranges, each of which may have some. */
    public RangeWatch(List<KeyRange> ranges) {
        this(ranges, Set.of());
    }

    private RangeWatch(List<KeyRange> ranges, Set<ByteBuffer> keys) {
        this.keys = new WatchedKeys(keys);
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

    /** Whether a key was changed since it was begun, as far as it knows. */
    public boolean isTouched() {
        return isTouched;
    }

    /** Whether it cannot say that none was changed. */
    public boolean isUnsure() {
        return isUnsure;
    }

    /** A transaction is committed. */
    void note(StagedChanges staged) {
        isUnsure |= staged.count() > MOST_CHANGES;
        for (int entry = TransactionLayout.HEADER_LENGTH;
                !isUnsure && !isTouched && entry < staged.length();
                entry = staged.next(entry)) {
            isTouched = touches(staged, entry);
        }
    }

    private boolean touches(StagedChanges staged, int entry) {
        byte[] array = staged.array();
        int key = keyIndex(entry);
        int keyEnd = keyEnd(staged.buffer(), entry);
        if (staged.removesRange(entry)) {
            isUnsure |= !keys.isEmpty();
        } else if (keys.has(array, key, keyEnd)) {
            return true;
        }
        int range = firstEndingBehind(array, key, keyEnd);
        if (range == count) {
            return false;
        }
        byte[] first = firsts[range];
        if (!staged.removesRange(entry)) {
            return Arrays.compareUnsigned(first, 0, first.length, array, key, keyEnd) <= 0;
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
