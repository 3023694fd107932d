package io.persist.store.state;

import io.persist.index.IndexCursor;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Neighbour;

/** Finds the neighbours of keys in the index. */
public final class Neighbours {

    private Neighbours() {}

    /** Has {@code cursor} go over this neighbour of {@code key}; false if there is none. */
    public static boolean find(Neighbour which, IndexCursor cursor, KeyBuffer key) {
        cursor.to(key);
        return switch (which) {
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
