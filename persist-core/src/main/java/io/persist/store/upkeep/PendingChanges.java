package io.persist.store.upkeep;

import io.persist.store.checkpoint.StoreLoader;
import io.persist.store.core.Settler;
import io.persist.store.core.StoreCore;
import io.persist.store.state.LiveBytes;

/**
 * Brings into the index those changes of the log that opening the store has left. Then it looks for what opening could
 * not tell before: whether all values are there.
 *
 * <p>Later it does the same with what a commit has left, for want of memory or after an error. Each commit brings its
 * own changes into the index; two threads at that would only hold each other up. So it takes over what nobody has gone
 * on with between two looks.
 *
 * <p><b>Threads:</b> the one of the upkeep.
 */
final class PendingChanges {

    private static final long NOTHING = -1;

    private final StoreCore core;
    private final Settler settler;
    private boolean isOpening;

    /** How far it was at the last look. */
    private long seen = NOTHING;

    PendingChanges(StoreCore core, Settler settler) {
        this.core = core;
        this.settler = settler;
        this.isOpening = !core.state().isSettled();
    }

    /**
     * Does all that is left, unless there is no memory for that.
     *
     * @throws io.persist.error.CorruptLogException if a node of the index is damaged; it can be tried again
     */
    void settle() {
        if (isOpening || core.ask(this::isLeft)) {
            settler.settleIfPossible();
            note();
        }
    }

    private boolean isLeft() {
        long before = seen;
        seen = progress();
        return seen != NOTHING && seen == before;
    }

    private long progress() {
        return core.state().isSettled() ? NOTHING : core.state().settleCalls();
    }

    private void note() {
        core.lock();
        try {
            seen = progress(); // if there was no memory, the next look tries again
            if (isOpening && seen == NOTHING) {
                isOpening = false;
                checkValues();
            }
        } finally {
            core.unlock();
        }
    }

    private void checkValues() {
        LiveBytes live = core.state().live();
        if (live.lost() != 0) {
            throw core.log().fail("taking over the end of the log", StoreLoader.lost("log", live.end(), live.lost()));
        }
    }
}
