package io.persist.store.upkeep;

import io.persist.store.checkpoint.StoreLoader;
import io.persist.store.core.StoreCore;
import io.persist.store.state.LiveBytes;
import java.util.function.LongSupplier;

/**
 * Brings into the index those changes of the log that opening the store has left. Then it looks for what opening could
 * not tell before: whether all values are there.
 *
 * <p>Later it does the same with what a commit has left, for want of memory or of a node that could not be read. Each
 * commit brings its own changes into the index; two threads at that would only hold each other up. So it takes over
 * what nobody has gone on with for so long as a store needs to be at rest.
 *
 * <p><b>Threads:</b> the one of the upkeep.
 */
final class PendingSettler {

    /** In place of how far it is. */
    private static final long ALL_DONE = -1;

    private final StoreCore core;
    private final Rest rest;
    private final LongSupplier nanoTime;
    private boolean isOpening;

    PendingSettler(StoreCore core, long restNs, LongSupplier nanoTime) {
        this.core = core;
        this.rest = new Rest(restNs);
        this.nanoTime = nanoTime;
        this.isOpening = !core.state().isSettled();
    }

    /**
     * Does all that is left, unless there is no memory for that.
     *
     * @throws io.persist.error.CorruptLogException if a node of the index is damaged; it can be tried again
     */
    void settle() {
        if (isOpening || core.ask(this::isLeftAlone)) {
            core.settler().settleIfPossible();
            core.locked(this::note);
        }
    }

    /** Whether nobody goes on with what is left; it is so at a later look at the earliest. */
    private boolean isLeftAlone() {
        return look() == 0 && !core.state().isSettled();
    }

    /** Looks how far it is; returns how long it is until what is left is taken to be left alone. */
    private long look() {
        long progress = core.state().isSettled() ? ALL_DONE : core.state().settleCalls();
        return rest.leftNs(progress, 0, nanoTime.getAsLong());
    }

    /** Under the lock. */
    private void note() {
        look(); // if there was no memory, it tries again when so much time has gone by
        if (isOpening && core.state().isSettled()) {
            isOpening = false;
            checkValues();
        }
    }

    private void checkValues() {
        LiveBytes live = core.state().live();
        if (live.lost() != 0) {
            throw core.log().fail("taking over the end of the log", StoreLoader.lost("log", live.end(), live.lost()));
        }
    }
}
