package io.persist.store.state;

import io.persist.index.node.KeyBuffer;
import io.persist.store.layer.RemovedRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The removals of ranges whose keys may still be in the index. All lookups ask them.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class RangeRemovals {

    private final List<RangeRemoval> removals = new ArrayList<>();

    boolean isEmpty() {
        return removals.isEmpty();
    }

    void add(RangeRemoval removal) {
        removals.add(removal);
    }

    /** The one that was added last. */
    RangeRemoval last() {
        return removals.get(removals.size() - 1);
    }

    /** The index has no key of the last one any more. */
    void removeLast() {
        removals.remove(removals.size() - 1);
    }

    /** Whether {@code key} is removed, whose value lies at {@code at}. */
    boolean removes(KeyBuffer key, long at) {
        for (int i = 0; i < removals.size(); i++) {
            if (removals.get(i).range().removes(key, at)) {
                return true;
            }
        }
        return false;
    }

    /** The ranges of this moment. */
    RemovedRange[] ranges() {
        RemovedRange[] ranges = new RemovedRange[removals.size()];
        for (int i = 0; i < ranges.length; i++) {
            ranges[i] = removals.get(i).range();
        }
        return ranges;
    }
}
