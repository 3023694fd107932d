package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.index.ExpectedMemory;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.staged.StagedChanges;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A large transaction that is about to come: what was read for it stays in memory, and memory for its changes is not
 * given to others. The same as long as the index does not have all of one that has come.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class ExpectedChanges {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final KeyIndex index;
    private final ExpectedMemory memory;
    private final PendingChanges pending;

    private final RangeRemovals removals;
    private final StepTally step;
    private final KeyBuffer key = new KeyBuffer();

    /** How many changes are to come; 0 if their memory was left to others. */
    private int count;

    private ByteBuffer changes = NOTHING;
    private ChangeOrder order = ChangeOrder.NONE;

    /** So many keys, or fewer, will be new in the index; all that were not looked up count. */
    private int newKeys;

    /** The bytes of these keys. */
    private long newBytes;

    /**
     * Whether others could not do without its memory, and have it. What was read for it may be gone then, so it has to
     * begin anew: without that the index may have no memory for what is on the log.
     */
    private boolean hasYielded;

    /** What is to come, if it has to know which of its keys change until then. */
    private @Nullable StagedChanges watched;

    private boolean isTouched;

    ExpectedChanges(KeyIndex index, PendingChanges pending, RangeRemovals removals, StepTally step) {
        this.index = index;
        this.memory = index.budget().expected();
        this.pending = pending;
        this.removals = removals;
        this.step = step;
    }

    /** From now on {@code staged} is expected, whose order is {@code itsOrder}. */
    public void begin(StagedChanges staged, ChangeOrder itsOrder) {
        end(); // if it begins anew, maybe less has to stay
        begin(staged.count(), staged.buffer(), itsOrder);
    }

    private void begin(int itsCount, ByteBuffer itsChanges, ChangeOrder itsOrder) {
        count = itsCount;
        changes = itsChanges;
        order = itsOrder;
        watched = null;
        hasYielded = false;
        countAllAsNew();
    }

    private void countAllAsNew() {
        newKeys = order.count();
        newBytes = order.putBytes();
        tellBudget();
    }

    /** The same of one that has to know if others change its keys. */
    public void beginWatched(StagedChanges staged, ChangeOrder itsOrder) {
        begin(staged, itsOrder);
        watched = staged;
        isTouched = false;
    }

    /** The transaction has come, or will not. */
    public void end() {
        begin(0, NOTHING, ChangeOrder.NONE);
        unpin();
    }

    /** The order of its changes. */
    ChangeOrder order() {
        return order;
    }

    /** So many of its changes, or fewer, put a key that is not there. */
    int newKeys() {
        return newKeys;
    }

    /** The bytes of those keys. */
    long newBytes() {
        return newBytes;
    }

    /**
     * Looks a step of its keys up, from the one of this number on: it reads of the index what their changes need, and
     * finds out which keys are there; these need no memory but that of the nodes, which stay, since all of them have to
     * be there at once in the end. It leaves that out if the index has all nodes in memory, and so much unused that the
     * keys can count as new: then all nodes stay. And it does so if it has to begin anew anyway.
     *
     * @return the number of the next one
     */
    public int lookUpSome(int first) {
        if (hasYielded) {
            return order.count();
        }
        if (index.unloadedNodes() == 0 && memory.hasUnused()) {
            memory.keepAllNodes();
            return order.count();
        }
        int end = Math.min(order.count() - first, StoreState.CHANGES_PER_STEP) + first;
        step.count(end - first);
        boolean mayGo = !removals.isEmpty() || !pending.isEmpty(); // what the index has
        for (int i = first; i < end; i++) {
            int entry = order.entry(i);
            int keyLength = TransactionLayout.keyLength(changes, entry);
            boolean isThere = index.load(key.set(changes, TransactionLayout.keyIndex(entry), keyLength));
            int putLength = ChangeOrder.putBytes(changes, entry);
            if (putLength == 0 || isThere && !mayGo) {
                newKeys--;
                newBytes -= putLength;
            }
        }
        memory.keepNodes();
        tellBudget();
        return end;
    }

    /** Whether there is the memory for it, and nobody else was given it. */
    public boolean hasMemory() {
        return !hasYielded && memory.isReady();
    }

    /**
     * Makes some of that memory free, and keeps it; returns whether all is there, or others have it. It is to be called
     * again then.
     *
     * @throws io.persist.error.IndexFullException if there is not that much; the index is as it was
     */
    public boolean ensureSomeMemory() {
        return hasYielded || memory.reserveSome();
    }

    /** Makes all of that memory free, at once; throws as {@link #ensureSomeMemory} does, and if others have it. */
    public void ensureMemory() {
        if (hasYielded) {
            throw index.budget().full();
        }
        memory.reserve();
    }

    /**
     * Leaves its memory, and what was read for it, to one that cannot do without: there may be too little for it in any
     * case, and until it is on the log that is no reason to refuse others. Returns whether there was any to leave.
     */
    boolean yieldMemory() {
        if (count == 0) {
            return false;
        }
        hasYielded = true;
        count = 0;
        newKeys = 0;
        newBytes = 0;
        tellBudget();
        unpin();
        return true;
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
        if (count > 0) {
            countAllAsNew();
        }
    }

    /** The index has a key less, which may be one that was found there. */
    void noteRemoval(KeyBuffer removed) {
        if (count > 0) {
            newKeys = Math.min(newKeys + 1, order.count());
            newBytes = Math.min(newBytes + removed.length(), order.putBytes());
            tellBudget();
        }
    }

    /** What is pending has a part of this promise; but of a replay others may use the memory until it is needed. */
    void tellBudget() {
        if (pending.isReplay()) {
            memory.promise(count, newKeys, newBytes);
            index.budget().later().promise(pending.left(), pending.leftBytes());
        } else {
            memory.promise(count + pending.left(), newKeys + pending.newKeys(), newBytes + pending.newBytes());
            index.budget().later().promise(0, 0);
        }
    }

    /**
     * Nodes that were read for the change at hand need not stay. In memory that is needed for what is on the log they
     * must not: if that change is refused, there might be none for the rest of what the index has to get.
     */
    void unpin() {
        index.unpin();
        if (count == 0 && (pending.isEmpty() || pending.isReplay())) { // for a replay nothing was read before
            memory.releaseNodes();
        }
    }
}
