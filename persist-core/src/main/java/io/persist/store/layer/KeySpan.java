package io.persist.store.layer;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.store.Neighbour;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys in the form in which keys are compared: from a key that is in it to a key that is not. It takes
 * little more memory than these, as there can be many.
 */
public final class KeySpan {

    private final byte[] first;

    /** Null if the range has no end. */
    private final byte @Nullable [] limit;

    /** The range of the entry at {@code entry} of a transaction, which removes it. */
    public KeySpan(ByteBuffer changes, int entry) {
        int limitLength = TransactionLayout.valueLength(changes, entry);
        first = copy(changes, TransactionLayout.keyIndex(entry), TransactionLayout.keyLength(changes, entry));
        limit = limitLength == 0 ? null : copy(changes, TransactionLayout.keyEnd(changes, entry), limitLength);
    }

    private static byte[] copy(ByteBuffer bytes, int index, int length) {
        byte[] copy = new byte[length];
        bytes.get(index, copy);
        return copy;
    }

    /** Sets {@code target} to the first key that can be in it, and returns that. */
    public KeyBuffer first(KeyBuffer target) {
        return target.set(first, 0, first.length);
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

    /** Whether there is a key of it under {@code cursor}; by way of {@code key}. */
    public boolean isAnyIn(KeyCursor cursor, KeyBuffer key) {
        return Neighbours.find(Neighbour.CEILING, cursor, first(key)) && isBeforeEnd(cursor.key());
    }
}
