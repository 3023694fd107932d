package io.persist.store.state;

import io.persist.index.node.KeyBuffer;
import io.persist.store.layer.RemovedRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The removals of ranges whose keys may still be in the index. All lookups ask them.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class RangeRemovals {

    private final LiveBytes live;
    private final List<RemovedRange> ranges = new ArrayList<>();

    /** How far the work on some of these ranges has come, in the same order. A range that nobody worked on has none. */
    private final List<RangeRemoval> begun = new ArrayList<>();

    /** To be used again. */
    private @Nullable RangeRemoval ended;

    /** What they remove is needed in {@code live} no more. */
    RangeRemovals(LiveBytes live) {
        this.live = live;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    void add(RemovedRange range) {
        ranges.add(range);
    }

    /** Adds those of a transaction that has been appended at {@code payload}. */
    void addAll(RemovedRange[] added, long payload) {
        for (RemovedRange range : added) {
            range.appendedAt(payload);
        }
        ranges.addAll(Arrays.asList(added));
    }

    /** The one that was added last; from now on it is worked on. */
    RangeRemoval last() {
        RemovedRange range = ranges.get(ranges.size() - 1);
        RangeRemoval newest = begun.isEmpty() ? null : begun.get(begun.size() - 1);
        if (newest == null || newest.range().position() != range.position()) {
            newest = ended == null ? new RangeRemoval(range, live) : ended.begin(range);
            ended = null;
            begun.add(newest);
        }
        return newest;
    }

    /** The index has no key of {@link #last} any more. */
    void removeLast() {
        ended = begun.remove(begun.size() - 1);
        ranges.remove(ranges.size() - 1);
    }

    /** Whether {@code key} is removed, whose value lies at {@code at}. */
    boolean removes(KeyBuffer key, long at) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).removes(key, at)) {
                return true;
            }
        }
        return false;
    }

    /** The ranges of this moment. */
    RemovedRange[] ranges() {
        return ranges.toArray(new RemovedRange[0]);
    }
}
