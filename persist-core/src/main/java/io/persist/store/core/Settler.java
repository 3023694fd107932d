package io.persist.store.core;

import io.persist.error.CorruptLogException;
import io.persist.error.IndexFullException;
import io.persist.error.LogIOException;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.state.StoreState;
import java.util.function.Consumer;

/**
 * Brings into the index what is on the log already: the changes of a large transaction, and the removal of a range's
 * keys. It does so in small steps between which other threads have the store's lock. Until that is done, all threads
 * see the changes all the same, and each transaction as a whole, however many changes it has.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
public final class Settler {

    private static final Consumer<LayeredSnapshot> CLOSE = LayeredSnapshot::close;

    private final StoreCore core;

    /** Settles the index of {@code core}. */
    Settler(StoreCore core) {
        this.core = core;
    }

    /**
     * Enters the store when the index alone says which keys there are: for what is kept of the index alone. For upkeep,
     * which is what frees memory.
     *
     * @throws IndexFullException if there is no memory for that
     */
    public void lockSettled() {
        core.lock();
        while (!core.state().isSettled()) {
            core.unlock();
            settle();
            core.lock();
        }
    }

    /**
     * Enters the store when a snapshot may be taken: at once, unless memory is scarce. For callers of the store.
     *
     * @throws IndexFullException if there is no memory for that, also after a checkpoint
     */
    public void lockToSnapshot() {
        core.lock();
        while (!core.state().maySnapshot()) {
            core.unlock();
            settleWithMemory();
            core.lock();
        }
    }

    /**
     * Ends a snapshot, also of a store that is closed. It makes no object: the heap may be full, and nobody else would
     * end it.
     */
    public void close(LayeredSnapshot moment) {
        core.lockedAnyway(moment, CLOSE);
    }

    /** Does all that there is to do at the moment; if there is no memory for that, it has a checkpoint written. */
    void settleWithMemory() {
        MemoryTries tries = null;
        boolean isDone = false;
        while (!isDone) {
            try {
                settle();
                isDone = true;
            } catch (IndexFullException e) {
                tries = tries == null ? new MemoryTries(core) : tries;
                tries.freeMemory(e);
            }
        }
    }

    /** Does all, unless there is no memory for that. */
    public void settleIfPossible() {
        try {
            settle();
        } catch (IndexFullException e) {
            // All threads see the changes. A thread that needs them in the index tries again, and so does upkeep.
        }
    }

    /**
     * Does all that there is to do at the moment.
     *
     * @throws IndexFullException if there is no memory for that; it can be tried again
     * @throws CorruptLogException if a node of the index is damaged; it can be tried again
     * @throws LogIOException if a node cannot be read; it can be tried again. Also if the log has failed, as it has
     *     after any other error: then the index may have half of a change
     */
    void settle() {
        boolean isSettled = false;
        while (!isSettled) {
            core.letOthersGo();
            try {
                core.lockToChange();
                try {
                    isSettled = settleSome();
                } finally {
                    core.unlock();
                }
            } finally {
                core.unlock(); // see Turn
            }
        }
    }

    /** Does a step. What comes before anything has changed can be tried again; any other error ends the store. */
    private boolean settleSome() {
        try {
            return core.state().settle(StoreState.CHANGES_PER_STEP);
        } catch (IndexFullException | CorruptLogException | LogIOException e) {
            throw e; // there was no memory for a node, or it could not be read
        } catch (RuntimeException | Error e) {
            throw core.log().fail("taking over changes that are on the log", e); // half of one is in the index
        }
    }
}
