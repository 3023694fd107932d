package io.persist.store.staged;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.layer.ChangeOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a transaction has changed in a range by now, key by key in order: of each key the last change; and which ranges
 * it has removed, whose keys are not shown unless they were put since. The changes are sorted once, when this is made;
 * later ones are not in it. It can be read until the transaction has ended: until then changes are only added to their
 * buffer, or copied with it.
 *
 * <p><b>Threads:</b> the transaction's. <b>Allocation:</b> 4 to 28 bytes for each change, once.
 */
public final class OwnWrites {

    private final ByteBuffer buffer;
    private final StagedRanges ranges;
    private final boolean isForward;
    private final KeyBuffer key = new KeyBuffer();

    private final ChangeOrder order;

    /** How many were gone over. */
    private int done;

    /** Those of {@code staged} in {@code range}, before the first in the order of {@code direction}. */
    public OwnWrites(StagedChanges staged, KeyRange range, Direction direction) {
        this.buffer = staged.buffer();
        this.isForward = direction == Direction.FORWARD;
        this.ranges = staged.ranges().copy();
        int[] entries = new int[staged.count()];
        int count = 0;
        byte[] from = range.lowest();
        byte[] below = range.limit();
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            boolean isKeys = !staged.removesRange(entry) && ranges.lastBefore(staged.length(), buffer, entry) < entry;
            if (isKeys && (from == null || compare(entry, from) >= 0) && (below == null || compare(entry, below) < 0)) {
                entries[count++] = entry;
            }
        }
        this.order = ChangeOrder.of(buffer, entries, count);
    }

    private int compare(int entry, byte[] end) {
        return Arrays.compareUnsigned(buffer.array(), keyIndex(entry), keyEnd(buffer, entry), end, 0, end.length);
    }

    /** The parts of {@code within} that have no key which is changed here, nor one of a removed range; ascending. */
    public List<KeyRange> untouched(KeyRange within) {
        List<KeyRange> parts = new ArrayList<>();
        KeyRange rest = within;
        for (int i = 0; i < order.count(); i++) {
            byte[] changed =
                    Arrays.copyOfRange(buffer.array(), keyIndex(order.entry(i)), keyEnd(buffer, order.entry(i)));
            if (rest.contains(changed)) {
                add(parts, rest.intersection(KeyRange.below(changed)));
                rest = rest.intersection(KeyRange.after(changed));
            }
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

    /** The offset of the removal of a range that has {@code committed}; a negative number if none has. */
    public int removalOf(KeyBuffer committed) {
        return ranges.lastBefore(Integer.MAX_VALUE, buffer, committed.bytes(), 0, committed.length());
    }

    /** Has {@code end} become the end of a removed range in the direction; false if the range has none there. */
    public boolean endOf(int removal, KeyBuffer end) {
        return StagedRanges.endOf(buffer, removal, isForward ? Direction.FORWARD : Direction.BACKWARD, end);
    }

    /** Whether there is one more. */
    public boolean hasNext() {
        return done < order.count();
    }

    /** Compares the next key with {@code other}: negative if it comes first in the direction, 0 if it is the same. */
    public int compareNext(KeyBuffer other) {
        int entry = entry(done);
        int first = Arrays.compareUnsigned(
                buffer.array(), keyIndex(entry), keyEnd(buffer, entry), other.bytes(), 0, other.length());
        return isForward ? first : -first;
    }

    /** Goes over the next one. */
    public void next() {
        int entry = entry(done++);
        key.set(buffer, keyIndex(entry), TransactionLayout.keyLength(buffer, entry));
    }

    /** Whether the change that was gone over last gives its key a value. */
    public boolean isPut() {
        return TransactionLayout.isPut(buffer, entry());
    }

    private int entry() {
        return entry(done - 1);
    }

    /** Of the change of this number in the direction. */
    private int entry(int number) {
        return order.entry(isForward ? number : order.count() - 1 - number);
    }

    /** The key of that change. */
    public KeyBuffer key() {
        return key;
    }

    /** The array that its value lies in. */
    public byte[] array() {
        return buffer.array();
    }

    /** Where in the array the value begins. */
    public int valueIndex() {
        return keyEnd(buffer, entry());
    }

    /** The value's length in bytes. */
    public int valueLength() {
        return TransactionLayout.valueLength(buffer, entry());
    }
}
