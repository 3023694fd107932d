package io.persist.store.staged;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Neighbour;
import io.persist.store.layer.Neighbours;

/** Finds neighbours of keys among those that a transaction has put. */
public final class OwnPuts {

    private OwnPuts() {}

    /**
     * Has {@code found} become this neighbour of {@code key} among the keys that {@code staged} gives a value; returns
     * the offset of the change, or a negative number. It looks at each change.
     */
    public static int find(Neighbour which, StagedChanges staged, KeyBuffer key, KeyBuffer found) {
        int best = StagedRanges.NONE;
        KeyBuffer candidate = new KeyBuffer();
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            if (!staged.isPut(entry)) {
                continue;
            }
            staged.key(entry, candidate);
            boolean isNearest =
                    isOn(which, candidate, key) && (best < 0 || Neighbours.isNearer(which, candidate, found));
            if (isNearest && staged.find(candidate) == entry) { // else it was changed again
                best = entry;
                found.copyFrom(candidate);
            }
        }
        return best;
    }

    private static boolean isOn(Neighbour which, KeyBuffer candidate, KeyBuffer key) {
        int order = candidate.compareTo(key);
        return switch (which) {
            case LOWER -> order < 0;
            case FLOOR -> order <= 0;
            case CEILING -> order >= 0;
            case HIGHER -> order > 0;
        };
    }
}
