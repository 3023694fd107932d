package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.index.IndexCursor;
import io.persist.index.LeafRemoval;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.store.Neighbour;

/**
 * A removal of all keys of a range that is on the log, while the index still has some of them. The position of a key's
 * value tells whether the key is removed: a key whose value lies before the removal is removed, a key whose value lies
 * behind it was put since.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class RangeRemoval implements LeafRemoval {

    private final KeySpan span;
    private final long position;
    private final LiveBytes live;
    private final KeyBuffer last = new KeyBuffer();
    private final KeyBuffer edge = new KeyBuffer();
    private Neighbour step = Neighbour.CEILING;

    /** The removal whose entry is at {@code position}; what goes is needed in {@code live} no more. */
    RangeRemoval(KeySpan span, long position, LiveBytes live) {
        this.live = live;
        this.span = span;
        this.position = position;
        last.copyFrom(span.first());
    }

    /** Whether it has removed {@code key}, whose value lies at {@code at}. */
    boolean removes(KeyBuffer key, long at) {
        return at < position && span.contains(key);
    }

    /** Has {@code cursor} go over the next key of the range that was not passed; false if there is none. */
    boolean next(IndexCursor cursor) {
        return Neighbours.find(step, cursor, last) && span.isBeforeEnd(cursor.key());
    }

    /** Nothing has to be searched for each key then. */
    @Override
    public boolean mayGo(Node leaf) {
        int count = leaf.count();
        for (int i = 0; i < count; i++) {
            if (leaf.position(i) >= position) {
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
        return span.contains(edge);
    }

    /** What is to be done for {@code key}, the next one, has been done. */
    void pass(KeyBuffer key) {
        last.copyFrom(key);
        step = Neighbour.HIGHER;
    }
}
