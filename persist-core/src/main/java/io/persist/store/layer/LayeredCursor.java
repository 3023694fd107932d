package io.persist.store.layer;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.store.Direction;

/**
 * Goes through the keys of an index and of what lies over it, as if that were in the index. The index may be one of
 * these, too.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none after the constructor.
 */
final class LayeredCursor implements KeyCursor {

    private static final int FORWARD = 1;
    private static final int BACKWARD = -1;
    private static final int NOWHERE = 0;

    private final KeyCursor index;
    private final Layer layer;
    private final KeyBuffer changedKey = new KeyBuffer();

    /** The number of the change behind the place where this stands. */
    private int gap;

    /** In which direction the cursor of the index has gone over a key that this has not gone over. */
    private int looked;

    /** Whether the key that was gone over last is that of a change. */
    private boolean isChange;

    private long position;
    private int length;

    /** {@code index} is at its first key, and for this alone. */
    LayeredCursor(KeyCursor index, Layer layer) {
        this.index = index;
        this.layer = layer;
        stand(layer.first());
    }

    @Override
    public void toStart() {
        index.toStart();
        stand(layer.first());
    }

    @Override
    public void toEnd() {
        index.toEnd();
        stand(layer.end());
    }

    @Override
    public void to(KeyBuffer from) {
        index.to(from);
        stand(layer.search(from));
    }

    private void stand(int change) {
        gap = change;
        looked = NOWHERE;
    }

    @Override
    public boolean next() {
        return go(FORWARD);
    }

    @Override
    public boolean previous() {
        return go(BACKWARD);
    }

    private boolean go(int direction) {
        while (true) {
            boolean hasKey = look(direction);
            boolean hasChange = skipForgotten(direction);
            if (!hasKey && !hasChange) {
                return false;
            }
            int change = direction == FORWARD ? gap : gap - 1;
            int order = !hasChange ? 1 : !hasKey ? -1 : direction * layer.compare(change, index.key());
            if (order >= 0) {
                looked = NOWHERE; // the cursor of the index has gone over it already
            }
            if (order <= 0) {
                gap += direction;
            }
            if (order <= 0 ? takeChange(change) : takeKey(direction)) {
                return true;
            }
        }
    }

    /** Has the cursor of the index go over its next key in the direction; false if there is none. */
    private boolean look(int direction) {
        if (looked == -direction) {
            move(direction); // back to where this stands
            looked = NOWHERE;
        }
        if (looked == NOWHERE && move(direction)) {
            looked = direction;
        }
        return looked == direction;
    }

    private boolean move(int direction) {
        return direction == FORWARD ? index.next() : index.previous();
    }

    /** Goes over changes that do not count; false if no other one is left in the direction. */
    private boolean skipForgotten(int direction) {
        if (direction == FORWARD) {
            while (gap < layer.end() && !layer.counts(gap)) {
                gap++;
            }
            return gap < layer.end();
        }
        while (gap > layer.first() && !layer.counts(gap - 1)) {
            gap--;
        }
        return gap > layer.first();
    }

    private boolean takeChange(int change) {
        if (!layer.isPut(change)) {
            return false;
        }
        layer.key(change, changedKey);
        isChange = true;
        position = layer.position(change);
        length = layer.length(change);
        return !layer.removes(changedKey, position);
    }

    private boolean takeKey(int direction) {
        isChange = false;
        position = index.position();
        length = index.length();
        RemovedRange by = layer.remover(index.key(), position);
        if (by != null && layer.isOwn()) {
            leave(by, direction);
        }
        return by == null;
    }

    /**
     * Has the cursor of the index leave out the keys of {@code range} that come now: below a transaction that is open
     * each of them is removed. Below another layer there may be one that was put since.
     */
    private void leave(RemovedRange range, int direction) {
        KeyBuffer end = changedKey; // this is on no change
        if (range.end(direction == FORWARD ? Direction.FORWARD : Direction.BACKWARD, end)) {
            index.to(end);
        } else {
            index.toEnd();
        }
    }

    @Override
    public KeyBuffer key() {
        return isChange ? changedKey : index.key();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public int length() {
        return length;
    }
}
