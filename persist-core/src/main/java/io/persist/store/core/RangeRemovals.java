package io.persist.store.core;

import io.persist.error.IndexFullException;

/**
 * Takes out of the index the keys that a range removal has left there, in small steps between which other threads have
 * the store's lock. Until that is done, lookups leave such keys out, and a thread that goes through the index has it
 * done first. So all threads see a removal as a whole, however many keys it has.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
public final class RangeRemovals {

    /** Some tens of microseconds. */
    private static final int KEYS_PER_STEP = 64;

    private final StoreCore core;

    /** Settles the removals of {@code core}. */
    public RangeRemovals(StoreCore core) {
        this.core = core;
    }

    /** Enters the store when the index has no removed key any more. */
    public void lockSettled() {
        core.lock();
        while (!core.state().isSettled()) {
            core.unlock();
            settle();
            core.lock();
        }
    }

    /** Takes all out, unless there is no memory for that. */
    public void settleIfPossible() {
        try {
            settle();
        } catch (IndexFullException e) {
            // No thread sees the keys any more. A thread that needs them out of the index tries again.
        }
    }

    /** Takes all out that is there at the moment. */
    void settle() {
        boolean isSettled = false;
        while (!isSettled) {
            core.letOthersIn();
            try {
                core.lock();
                try {
                    isSettled = core.state().settle(KEYS_PER_STEP);
                } finally {
                    core.unlock();
                }
            } finally {
                core.unlock(); // see Turn
            }
        }
    }
}
