package io.persist.store.state;

import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.staged.StagedChanges;
import org.jspecify.annotations.Nullable;

/**
 * A large transaction that is about to come: what was read for it stays in memory, and memory for its changes is not
 * given to others. The same as long as the index does not have all of one that has come.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class ExpectedChanges {

    private final KeyIndex index;
    private final LargeChanges large;

    /** How many changes are to come. */
    private int count;

    /** The bytes of the keys that get a value. */
    private long putBytes;

    /** What is to come, if it has to know which of its keys change until then. */
    private @Nullable StagedChanges watched;

    private boolean isTouched;

    ExpectedChanges(KeyIndex index, LargeChanges large) {
        this.index = index;
        this.large = large;
    }

    /** From now on {@code staged} is expected, whose order is {@code order}. */
    public void begin(StagedChanges staged, ChangeOrder order) {
        count = staged.count();
        putBytes = order.putBytes();
        watched = null;
        keepMemory();
    }

    /** The same of one that has to know if others change its keys. */
    public void beginWatched(StagedChanges staged, ChangeOrder order) {
        begin(staged, order);
        watched = staged;
        isTouched = false;
    }

    /** The transaction has come, or will not. */
    public void end() {
        count = 0;
        putBytes = 0;
        watched = null;
        keepMemory();
        unpin();
    }

    /** Whether there is the memory for it. */
    public boolean hasMemory() {
        return index.room().isHeld();
    }

    /**
     * Makes all of that memory free, at once.
     *
     * @throws io.persist.error.IndexFullException if there is not that much; the index is as it was
     */
    public void ensureMemory() {
        index.room().reserveHeld();
    }

    /** Whether one of its keys has changed, and it had to know that. */
    public boolean isTouched() {
        return watched != null && isTouched;
    }

    void noteChange(KeyBuffer key) {
        if (watched != null && watched.findEntered(key) >= 0) {
            isTouched = true;
        }
    }

    void noteRemovalOfRange() {
        isTouched = true;
    }

    void keepMemory() {
        if (large.isReplay()) {
            index.room().hold(count, putBytes);
            index.room().holdLater(large.left(), large.leftBytes());
        } else {
            index.room().hold(count + large.left(), putBytes + large.leftBytes());
            index.room().holdLater(0, 0);
        }
    }

    void unpin() {
        if (count == 0 && (large.isEmpty() || large.isReplay())) { // for a replay nothing was read before
            index.unpin();
        }
    }
}
