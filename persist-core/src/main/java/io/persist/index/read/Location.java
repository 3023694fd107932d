package io.persist.index.read;

import io.persist.index.KeyIndex;

/** Where a value lies in the log. Methods of an index set it. It is mutable, to be used again and again. */
public final class Location {

    private long position;
    private int length;

    /** What {@link KeyIndex#put} was given: of a store, the position of the entry that has the value. */
    public long position() {
        return position;
    }

    /** The value's length in bytes. */
    public int length() {
        return length;
    }

    /** Sets both: a position in the log, and a length in bytes. */
    public void set(long newPosition, int newLength) {
        position = newPosition;
        length = newLength;
    }

    @Override
    public String toString() {
        return "position=" + position + ", length=" + length;
    }
}
