package io.persist.store.state;

import io.persist.index.IndexCursor;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Neighbour;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A range of keys in the form in which keys are compared: from a key that is in it to a key that is not. */
final class KeySpan {

    private final KeyBuffer first = new KeyBuffer();

    /** Null if the range has no end. */
    private final @Nullable KeyBuffer limit;

    /** The first key is in {@code bytes} at {@code index}, the limit right behind it; of length 0 there is none. */
    KeySpan(ByteBuffer bytes, int index, int firstLength, int limitLength) {
        first.set(bytes, index, firstLength);
        limit = limitLength == 0 ? null : new KeyBuffer().set(bytes, index + firstLength, limitLength);
    }

    KeyBuffer first() {
        return first;
    }

    boolean contains(KeyBuffer key) {
        return key.compareTo(first) >= 0 && isBeforeEnd(key);
    }

    boolean isBeforeEnd(KeyBuffer key) {
        return limit == null || key.compareTo(limit) < 0;
    }

    /** Whether there is a key of it under {@code cursor}. */
    boolean isAnyIn(IndexCursor cursor) {
        return Neighbours.find(Neighbour.CEILING, cursor, first) && isBeforeEnd(cursor.key());
    }
}
