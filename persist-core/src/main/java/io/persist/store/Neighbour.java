package io.persist.store;

import io.persist.index.IndexCursor;
import io.persist.index.KeyBuffer;
import java.util.Arrays;

/** Which key near to a given one is wanted, in the order of the keys: as {@link java.util.NavigableMap} has it. */
public enum Neighbour {
    /** The greatest that is less. */
    LOWER,
    /** The greatest that is not greater. */
    FLOOR,
    /** The least that is not less. */
    CEILING,
    /** The least that is greater. */
    HIGHER;

    /** No key is less. */
    static byte[] least() {
        return new byte[] {0};
    }

    /** No key is greater. */
    static byte[] greatest() {
        byte[] key = new byte[KeyBuffer.MAX_LENGTH];
        Arrays.fill(key, (byte) 0xFF);
        return key;
    }

    /** Has {@code cursor} go over this neighbour of {@code key}; false if there is none. */
    boolean find(IndexCursor cursor, KeyBuffer key) {
        cursor.to(key);
        return switch (this) {
            case LOWER -> cursor.previous();
            case CEILING -> cursor.next();
            case HIGHER -> cursor.next() && (!isAt(cursor, key) || cursor.next());
            case FLOOR -> floor(cursor, key);
        };
    }

    private static boolean floor(IndexCursor cursor, KeyBuffer key) {
        if (!cursor.next()) {
            return cursor.previous();
        }
        if (isAt(cursor, key)) {
            return true;
        }
        cursor.previous(); // back over the greater one
        return cursor.previous();
    }

    private static boolean isAt(IndexCursor cursor, KeyBuffer key) {
        return cursor.key().compareTo(key) == 0;
    }
}
