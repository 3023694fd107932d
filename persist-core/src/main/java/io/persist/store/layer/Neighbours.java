package io.persist.store.layer;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.store.Direction;
import io.persist.store.Neighbour;

/** Finds the neighbours of keys under a cursor. */
public final class Neighbours {

    private Neighbours() {}

    /** Has {@code cursor} go over this neighbour of {@code key}; false if there is none. */
    public static boolean find(Neighbour which, KeyCursor cursor, KeyBuffer key) {
        cursor.to(key);
        return switch (which) {
            case LOWER -> cursor.previous();
            case CEILING -> cursor.next();
            case HIGHER -> cursor.next() && (!isAt(cursor, key) || cursor.next());
            case FLOOR -> floor(cursor, key);
        };
    }

    /** On which side of a key it is. */
    public static Direction direction(Neighbour which) {
        boolean isForward = which == Neighbour.CEILING || which == Neighbour.HIGHER;
        return isForward ? Direction.FORWARD : Direction.BACKWARD;
    }

    /** Whether {@code one} comes before {@code other}, from where the neighbour is looked for. */
    public static boolean isNearer(Neighbour which, KeyBuffer one, KeyBuffer other) {
        int order = one.compareTo(other);
        return direction(which) == Direction.FORWARD ? order < 0 : order > 0;
    }

    private static boolean floor(KeyCursor cursor, KeyBuffer key) {
        if (!cursor.next()) {
            return cursor.previous();
        }
        if (isAt(cursor, key)) {
            return true;
        }
        cursor.previous(); // back over the greater one
        return cursor.previous();
    }

    private static boolean isAt(KeyCursor cursor, KeyBuffer key) {
        return cursor.key().compareTo(key) == 0;
    }
}
