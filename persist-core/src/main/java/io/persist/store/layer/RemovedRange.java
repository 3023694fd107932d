package io.persist.store.layer;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.store.Direction;
import io.persist.store.Neighbour;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range whose keys are removed: from a key that is in it to a key that is not. The position of a key's value tells
 * whether the key is removed: it is if the value lies before the removal; a key whose value lies behind it was put
 * since. This takes little more memory than the two keys, as there can be many.
 *
 * <p><b>Threads:</b> any, once it is on the log; from then on it does not change.
 */
public final class RemovedRange {

    private final byte[] first;

    /** Null if the range has no end. */
    private final byte @Nullable [] limit;

    private long position;

    /** The range of the entry at {@code entry} of a transaction, which is at {@code position}. */
    public RemovedRange(ByteBuffer changes, int entry, long position) {
        int limitLength = TransactionLayout.valueLength(changes, entry);
        this.first = copy(changes, TransactionLayout.keyIndex(entry), TransactionLayout.keyLength(changes, entry));
        this.limit = limitLength == 0 ? null : copy(changes, TransactionLayout.keyEnd(changes, entry), limitLength);
        this.position = position;
    }

    private static byte[] copy(ByteBuffer bytes, int index, int length) {
        byte[] copy = new byte[length];
        bytes.get(index, copy);
        return copy;
    }

    /** Until now its position was that in a transaction, which has been appended at {@code payload}. */
    public void appendedAt(long payload) {
        position += payload;
    }

    /** The position of the entry that removes it. */
    public long position() {
        return position;
    }

    /** Sets {@code target} to the first key that can be in it, and returns that. */
    public KeyBuffer first(KeyBuffer target) {
        return target.set(first, 0, first.length);
    }

    /**
     * Sets {@code target} to where it ends in this direction: forward to the key above all of it, which may be there;
     * backward to the first one that can be in it. False if there is none.
     */
    public boolean end(Direction direction, KeyBuffer target) {
        byte[] end = direction == Direction.FORWARD ? limit : first;
        if (end == null) {
            return false;
        }
        target.set(end, 0, end.length);
        return true;
    }

    /** Whether {@code key} is in it. */
    public boolean contains(KeyBuffer key) {
        return compare(key, first) >= 0 && isBeforeEnd(key);
    }

    /** Whether {@code key} is less than the end, if there is one. */
    public boolean isBeforeEnd(KeyBuffer key) {
        return limit == null || compare(key, limit) < 0;
    }

    private static int compare(KeyBuffer key, byte[] other) {
        return Arrays.compareUnsigned(key.bytes(), 0, key.length(), other, 0, other.length);
    }

    /** Whether {@code key} is removed, whose value lies at {@code at}. */
    public boolean removes(KeyBuffer key, long at) {
        return at < position && contains(key);
    }

    /** Whether there is a key of it under {@code cursor}; by way of {@code key}. */
    public boolean isAnyIn(KeyCursor cursor, KeyBuffer key) {
        return Neighbours.find(Neighbour.CEILING, cursor, first(key)) && isBeforeEnd(cursor.key());
    }
}
