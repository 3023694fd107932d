package io.persist.store.read;

import static java.util.Objects.requireNonNull;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the keys of a range in one direction.
 *
 * <p><b>Threads:</b> the snapshot's. <b>Allocation:</b> none after the constructor.
 */
final class RangeCursor {

    private final KeyCursor cursor;
    private final Direction direction;
    private final @Nullable KeyBuffer end;
    private final boolean isEmpty;

    /** Goes to the beginning of {@code range}, for which it may have to read. */
    RangeCursor(KeyCursor cursor, KeyRange range, Direction direction) {
        this.cursor = cursor;
        this.direction = requireNonNull(direction, "direction");
        byte[] limit = range.limit();
        this.isEmpty = limit != null && limit.length == 0;
        byte[] last = direction == Direction.FORWARD ? limit : range.lowest();
        this.end = last == null || last.length == 0 ? null : key(last);
        begin(direction == Direction.FORWARD ? range.lowest() : limit);
    }

    private static KeyBuffer key(byte[] bytes) {
        KeyBuffer buffer = new KeyBuffer();
        buffer.set(bytes, 0, bytes.length);
        return buffer;
    }

    private void begin(byte @Nullable [] first) {
        if (first != null && first.length > 0) {
            cursor.to(key(first));
        } else if (direction == Direction.FORWARD) {
            cursor.toStart();
        } else {
            cursor.toEnd();
        }
    }

    /** Goes to where the next key is {@code key}, which is in the range. */
    void before(KeyBuffer key) {
        cursor.to(key);
        if (direction == Direction.BACKWARD) {
            cursor.next();
        }
    }

    /** Moves to the next key of the range; returns false after the last one. */
    boolean next() {
        return !isEmpty && (direction == Direction.FORWARD ? isBelowEnd() : isFromEndOn());
    }

    private boolean isBelowEnd() {
        return cursor.next() && (end == null || cursor.key().compareTo(end) < 0);
    }

    private boolean isFromEndOn() {
        return cursor.previous() && (end == null || cursor.key().compareTo(end) >= 0);
    }

    KeyBuffer key() {
        return cursor.key();
    }

    /** Where the value of the key lies. */
    long position() {
        return cursor.position();
    }

    /** The value's length in bytes. */
    int length() {
        return cursor.length();
    }
}
