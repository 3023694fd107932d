package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.index.LeafRemoval;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.IndexCursor;
import io.persist.store.Neighbour;
import io.persist.store.layer.Neighbours;
import io.persist.store.layer.RemovedRange;

/**
 * A removal of all keys of a range that is on the log, while the index still has some of them.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class RangeRemoval implements LeafRemoval {

    private RemovedRange range;
    private final LiveBytes live;
    private final KeyBuffer last = new KeyBuffer();
    private final KeyBuffer edge = new KeyBuffer();
    private Neighbour step = Neighbour.CEILING;

    /** The removal of {@code range}; what goes is needed in {@code live} no more. */
    RangeRemoval(RemovedRange range, LiveBytes live) {
        this.live = live;
        this.range = range;
        range.span().first(last);
    }

    /** From now on it is that of {@code next}. */
    RangeRemoval begin(RemovedRange next) {
        range = next;
        next.span().first(last);
        step = Neighbour.CEILING;
        return this;
    }

    /** The range. */
    RemovedRange range() {
        return range;
    }

    /** Has {@code cursor} go over the next key of the range that was not passed; false if there is none. */
    boolean next(IndexCursor cursor) {
        return Neighbours.find(step, cursor, last) && range.span().isBeforeEnd(cursor.key());
    }

    /** If so, the leaf goes as a whole, and none of its keys has to be searched for. */
    @Override
    public boolean mayGo(Node leaf) {
        int count = leaf.count();
        for (int i = 0; i < count; i++) {
            if (leaf.position(i) >= range.position()) {
                return false;
            }
        }
        return contains(leaf, 0) && contains(leaf, count - 1);
    }

    @Override
    public void goes(Node leaf) {
        int count = leaf.count();
        for (int i = 0; i < count; i++) {
            live.subtract(leaf.position(i), TransactionLayout.entryLength(leaf.keyLength(i), leaf.length(i)));
        }
    }

    private boolean contains(Node leaf, int index) {
        leaf.readPrefix(edge);
        leaf.readSuffix(index, edge);
        return range.span().contains(edge);
    }

    /** What is to be done for {@code key}, the next one, has been done. */
    void pass(KeyBuffer key) {
        last.copyFrom(key);
        step = Neighbour.HIGHER;
    }
}
