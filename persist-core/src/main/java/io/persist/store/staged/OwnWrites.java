package io.persist.store.staged;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Direction;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Goes over what a transaction has changed in a range, key by key in the order of a direction; and tells which ranges
 * it has removed, whose keys are not shown unless they were put since.
 *
 * <p><b>Threads:</b> the transaction's. <b>Allocation:</b> none after the constructor.
 */
public final class OwnWrites {

    private final ChangedKeys changed;
    private final ByteBuffer buffer;
    private final boolean isForward;
    private final KeyBuffer key = new KeyBuffer();

    /** How many were gone over. */
    private int done;

    /** Before the first of {@code changed} in the order of {@code direction}. */
    public OwnWrites(ChangedKeys changed, Direction direction) {
        this.changed = changed;
        this.buffer = changed.buffer();
        this.isForward = direction == Direction.FORWARD;
    }

    /** The offset of the removal of a range that has {@code committed}; a negative number if none has. */
    public int removalOf(KeyBuffer committed) {
        return changed.ranges().lastBefore(Integer.MAX_VALUE, buffer, committed.bytes(), 0, committed.length());
    }

    /** Has {@code end} become the end of a removed range in the direction; false if the range has none there. */
    public boolean endOf(int removal, KeyBuffer end) {
        return StagedRanges.endOf(buffer, removal, isForward ? Direction.FORWARD : Direction.BACKWARD, end);
    }

    /** Whether there is one more. */
    public boolean hasNext() {
        return done < changed.count();
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
        return changed.entry(isForward ? number : changed.count() - 1 - number);
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
