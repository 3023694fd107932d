package io.persist.store.layer;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.store.Neighbour;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A range of keys in the form in which keys are compared: from a key that is in it to a key that is not. */
public final class KeySpan {

    private final KeyBuffer first = new KeyBuffer();

    /** Null if the range has no end. */
    private final @Nullable KeyBuffer limit;

    /** The first key is in {@code bytes} at {@code index}, the limit right behind it; of length 0 there is none. */
    public KeySpan(ByteBuffer bytes, int index, int firstLength, int limitLength) {
        first.set(bytes, index, firstLength);
        limit = limitLength == 0 ? null : new KeyBuffer().set(bytes, index + firstLength, limitLength);
    }

    /** The first key that can be in it. */
    public KeyBuffer first() {
        return first;
    }

    /** Whether {@code key} is in it. */
    public boolean contains(KeyBuffer key) {
        return key.compareTo(first) >= 0 && isBeforeEnd(key);
    }

    /** Whether {@code key} is less than the end, if there is one. */
    public boolean isBeforeEnd(KeyBuffer key) {
        return limit == null || key.compareTo(limit) < 0;
    }

    /** Whether there is a key of it under {@code cursor}. */
    public boolean isAnyIn(KeyCursor cursor) {
        return Neighbours.find(Neighbour.CEILING, cursor, first) && isBeforeEnd(cursor.key());
    }
}
