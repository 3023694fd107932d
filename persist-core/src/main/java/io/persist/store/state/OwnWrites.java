package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a transaction has changed in a range by now, key by key in order: of each key the last change; and which ranges
 * it has removed, whose keys are not shown unless they were put since. It is sorted
 * once, when this is made; changes that come later are not in it. It can be read until the transaction has ended, since
 * changes are only ever added to their buffer, or copied with it.
 *
 * <p><b>Threads:</b> the transaction's. <b>Allocation:</b> 8 bytes for each change in the range, once.
 */
public final class OwnWrites {

    private final ByteBuffer buffer;
    private final StagedRanges ranges;
    private final boolean isForward;
    private final KeyBuffer key = new KeyBuffer();

    /** The offsets of the changes, in the direction in which they are read. */
    private int[] entries;

    private int count;

    /** How many were gone over. */
    private int done;

    /** Those of {@code staged} in {@code range}, before the first in the order of {@code direction}. */
    public OwnWrites(StagedChanges staged, KeyRange range, Direction direction) {
        this.buffer = staged.buffer();
        this.isForward = direction == Direction.FORWARD;
        this.ranges = staged.ranges().copy();
        this.entries = new int[staged.count()];
        byte[] from = range.lowest();
        byte[] below = range.limit();
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            boolean isKeys = !staged.removesRange(entry) && ranges.lastBefore(staged.length(), buffer, entry) < entry;
            if (isKeys && (from == null || compare(entry, from) >= 0) && (below == null || compare(entry, below) < 0)) {
                entries[count++] = entry;
            }
        }
        sort();
        keepLast();
    }

    private int compare(int entry, byte[] end) {
        return Arrays.compareUnsigned(buffer.array(), from(entry), to(entry), end, 0, end.length);
    }

    private int compare(int one, int other) {
        byte[] array = buffer.array();
        int order = Arrays.compareUnsigned(array, from(one), to(one), array, from(other), to(other));
        return isForward ? order : -order;
    }

    private static int from(int entry) {
        return StagedChanges.keyIndex(entry);
    }

    private int to(int entry) {
        return from(entry) + TransactionLayout.keyLength(buffer, entry);
    }

    /** By merging runs, each twice as long as those before: changes of one key stay in their order. */
    private void sort() {
        int[] source = entries;
        int[] target = new int[count];
        for (int run = 1; run > 0 && run < count; run *= 2) {
            for (int start = 0; start < count; start += 2 * run) {
                int middle = Math.min(start + run, count);
                merge(source, start, middle, Math.min(middle + run, count), target);
            }
            int[] merged = target;
            target = source;
            source = merged;
        }
        entries = source;
    }

    private void merge(int[] source, int start, int middle, int end, int[] target) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            boolean isLeft = right == end || left < middle && compare(source[left], source[right]) <= 0;
            target[i] = isLeft ? source[left++] : source[right++];
        }
    }

    private void keepLast() {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (i + 1 == count || compare(entries[i], entries[i + 1]) != 0) {
                entries[kept++] = entries[i];
            }
        }
        count = kept;
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
        return done < count;
    }

    /** Compares the next key with {@code other}: negative if it comes first in the direction, 0 if it is the same. */
    public int compareNext(KeyBuffer other) {
        int entry = entries[done];
        int order = Arrays.compareUnsigned(buffer.array(), from(entry), to(entry), other.bytes(), 0, other.length());
        return isForward ? order : -order;
    }

    /** Goes over the next one. */
    public void next() {
        int entry = entries[done++];
        key.set(buffer, from(entry), TransactionLayout.keyLength(buffer, entry));
    }

    /** Whether the change that was gone over last gives its key a value. */
    public boolean isPut() {
        return TransactionLayout.entryType(buffer, entry()) == TransactionLayout.ENTRY_PUT;
    }

    private int entry() {
        return entries[done - 1];
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
        return to(entry());
    }

    /** The value's length in bytes. */
    public int valueLength() {
        return TransactionLayout.valueLength(buffer, entry());
    }
}
