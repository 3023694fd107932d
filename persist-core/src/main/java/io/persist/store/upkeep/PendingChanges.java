package io.persist.store.upkeep;

import io.persist.store.checkpoint.StoreLoader;
import io.persist.store.core.Settler;
import io.persist.store.core.StoreCore;
import io.persist.store.state.LiveBytes;

/**
 * Brings into the index those changes of the log that opening the store has left. Then it looks for what opening could
 * not tell before: whether all values are there.
 *
 * <p><b>Threads:</b> the one of the upkeep.
 */
final class PendingChanges {

    private final StoreCore core;
    private final Settler settler;
    private boolean isDone;

    PendingChanges(StoreCore core, Settler settler) {
        this.core = core;
        this.settler = settler;
        this.isDone = core.state().isSettled();
    }

    /**
     * Does all that is left, unless there is no memory for that.
     *
     * @throws io.persist.error.CorruptLogException if a node of the index is damaged; it can be tried again
     */
    void settle() {
        if (isDone) {
            return;
        }
        settler.settleIfPossible();
        core.lock();
        try {
            isDone = core.state().isSettled();
            LiveBytes live = core.state().live();
            if (isDone && live.lost() != 0) {
                throw core.log()
                        .fail("taking over the end of the log", StoreLoader.lost("log", live.end(), live.lost()));
            }
        } finally {
            core.unlock();
        }
    }
}
