package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.index.LeafRemoval;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.IndexCursor;
import io.persist.store.Neighbour;
import io.persist.store.layer.Neighbours;
import io.persist.store.layer.RemovedRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The removals of ranges that are on the log, while the index may still have keys of them. All lookups ask them. The
 * index loses the keys of the first one, then those of the next one.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class RangeRemovals implements LeafRemoval {

    private final LiveBytes live;
    private final List<RemovedRange> ranges = new ArrayList<>();

    /** So many at the beginning of the list are over. It becomes empty when all are: there may be very many. */
    private int over;

    /** Up to where the current one has come, and how its next key is found from there. */
    private final KeyBuffer last = new KeyBuffer();

    private Neighbour step = Neighbour.CEILING;

    private final KeyBuffer edge = new KeyBuffer();

    /** What they remove is needed in {@code live} no more. */
    RangeRemovals(LiveBytes live) {
        this.live = live;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    void add(RemovedRange range) {
        ranges.add(range);
        if (ranges.size() == 1) {
            begin();
        }
    }

    /** Adds those of a transaction that has been appended at {@code payload}. */
    void addAll(RemovedRange[] added, long payload) {
        for (RemovedRange range : added) {
            range.appendedAt(payload);
            add(range);
        }
    }

    /** Whether {@code key} is removed, whose value lies at {@code at}. */
    boolean removes(KeyBuffer key, long at) {
        for (int i = over; i < ranges.size(); i++) {
            if (ranges.get(i).removes(key, at)) {
                return true;
            }
        }
        return false;
    }

    /** The ranges of this moment. */
    RemovedRange[] ranges() {
        return ranges.subList(over, ranges.size()).toArray(new RemovedRange[0]);
    }

    /** The one whose keys the index loses. */
    RemovedRange current() {
        return ranges.get(over);
    }

    /** The index has no key of the current one any more. */
    void removeCurrent() {
        over++;
        if (over < ranges.size()) {
            begin();
        } else {
            ranges.clear();
            over = 0;
        }
    }

    private void begin() {
        current().first(last);
        step = Neighbour.CEILING;
    }

    /** Has {@code cursor} go over the next key of the current one that was not passed; false if there is none. */
    boolean next(IndexCursor cursor) {
        return Neighbours.find(step, cursor, last) && current().isBeforeEnd(cursor.key());
    }

    /** What is to be done for {@code key}, the next one, has been done. */
    void pass(KeyBuffer key) {
        last.copyFrom(key);
        step = Neighbour.HIGHER;
    }

    /** If so, the leaf goes as a whole, and none of its keys has to be searched for. */
    @Override
    public boolean mayGo(Node leaf) {
        int count = leaf.count();
        for (int i = 0; i < count; i++) {
            if (leaf.position(i) >= current().position()) {
                return false;
            }
        }
        return contains(leaf, 0) && contains(leaf, count - 1);
    }

    private boolean contains(Node leaf, int index) {
        leaf.readPrefix(edge);
        leaf.readSuffix(index, edge);
        return current().contains(edge);
    }

    @Override
    public void goes(Node leaf) {
        int count = leaf.count();
        for (int i = 0; i < count; i++) {
            live.subtract(leaf.position(i), TransactionLayout.entryLength(leaf.keyLength(i), leaf.length(i)));
        }
    }
}
