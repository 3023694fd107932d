package io.persist.store.staged;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import io.persist.store.KeyRange;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.layer.Layer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a transaction has changed in a range at one moment, of each the last change, in order; and which ranges it
 * has removed that meet that range. Later changes are not in it. It can be read until the transaction has ended: until
 * then changes are only added to their buffer, or copied with it.
 *
 * <p><b>Threads:</b> the transaction's. <b>Allocation:</b> 4 to 28 bytes for each change of the transaction; it keeps 4
 * for each key in the range, and for each range that meets it. A {@link #layer} takes some 100 and the keys for each of
 * these ranges.
 */
public final class ChangedKeys {

    /** Nothing is changed. */
    static final ChangedKeys NONE = new ChangedKeys(ByteBuffer.allocate(0), ChangeOrder.NONE, new StagedRanges());

    private final ByteBuffer buffer;
    private final ChangeOrder order;
    private final StagedRanges ranges;

    private ChangedKeys(ByteBuffer buffer, ChangeOrder order, StagedRanges ranges) {
        this.buffer = buffer;
        this.order = order;
        this.ranges = ranges;
    }

    /** Those of {@code staged} in {@code range}. */
    public static ChangedKeys of(StagedChanges staged, KeyRange range) {
        ByteBuffer buffer = staged.buffer();
        StagedRanges ranges = staged.ranges().in(range, buffer);
        int[] entries = new int[staged.count()];
        int count = 0;
        byte[] from = range.lowest();
        byte[] below = range.limit();
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            boolean isKeys = !staged.removesRange(entry) && ranges.lastBefore(staged.length(), buffer, entry) < entry;
            if (isKeys
                    && (from == null || compare(buffer, entry, from) >= 0)
                    && (below == null || compare(buffer, entry, below) < 0)) {
                entries[count++] = entry;
            }
        }
        return of(buffer, Arrays.copyOf(entries, count), ranges);
    }

    private static ChangedKeys of(ByteBuffer buffer, int[] entries, StagedRanges ranges) {
        return entries.length == 0 && ranges.isEmpty()
                ? NONE // which does not keep the buffer
                : new ChangedKeys(buffer, ChangeOrder.of(buffer, entries, entries.length), ranges);
    }

    private static int compare(ByteBuffer buffer, int entry, byte[] end) {
        return Arrays.compareUnsigned(buffer.array(), keyIndex(entry), keyEnd(buffer, entry), end, 0, end.length);
    }

    /** What lies over the store for a scan of the transaction; null if that is nothing. */
    public @Nullable Layer layer() {
        return order.count() == 0 && ranges.isEmpty() ? null : Layer.own(buffer, order, ranges.removed(buffer));
    }

    /** The ranges that are removed, but for those that have no key here. */
    StagedRanges ranges() {
        return ranges;
    }

    /** What is in {@code within}, which is all that it keeps. */
    ChangedKeys in(KeyRange within) {
        int first = first(within);
        int[] entries = new int[Math.max(0, end(within) - first)];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = order.entry(first + i);
        }
        return of(buffer, entries, ranges.in(within, buffer));
    }

    /** The parts of {@code within} that have no key which is changed here, nor one of a removed range; ascending. */
    List<KeyRange> untouched(KeyRange within) {
        List<KeyRange> parts = new ArrayList<>();
        KeyRange rest = within;
        int end = end(within);
        for (int i = first(within); i < end; i++) {
            byte[] changed =
                    Arrays.copyOfRange(buffer.array(), keyIndex(order.entry(i)), keyEnd(buffer, order.entry(i)));
            add(parts, rest.intersection(KeyRange.below(changed)));
            rest = rest.intersection(KeyRange.after(changed));
        }
        add(parts, rest);
        return ranges.isEmpty() ? parts : ranges.takenFrom(parts, buffer);
    }

    /** Adds {@code part} if there can be a key in it. */
    static void add(List<KeyRange> parts, KeyRange part) {
        byte[] limit = part.limit();
        if (limit == null || Arrays.compareUnsigned(part.firstKey(), limit) < 0) {
            parts.add(part);
        }
    }

    private int first(KeyRange within) {
        byte[] lowest = within.lowest();
        return lowest == null ? 0 : countBelow(lowest);
    }

    private int end(KeyRange within) {
        byte[] limit = within.limit();
        return limit == null ? order.count() : countBelow(limit);
    }

    private int countBelow(byte[] end) {
        return order.search(buffer, 0, end, end.length);
    }
}
