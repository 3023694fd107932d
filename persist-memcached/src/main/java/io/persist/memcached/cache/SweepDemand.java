package io.persist.memcached.cache;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Whether a walk past all items can find one to remove, and whether somebody needs its room.
 *
 * <p><b>Threads:</b> any; one of them sweeps.
 */
final class SweepDemand {

    private final Semaphore hurry = new Semaphore(0); // at most about one permit
    private volatile boolean mayHaveDead;

    SweepDemand(boolean mayHaveDead) {
        this.mayHaveDead = mayHaveDead;
    }

    /** An item is dead, or will be. */
    void add() {
        mayHaveDead = true;
    }

    /** Whether there is something for a walk that begins now. What comes from now on is for the next one. */
    boolean take() {
        if (!mayHaveDead) {
            return false; // and nothing is written, else what comes at this moment could be lost
        }
        mayHaveDead = false;
        return true;
    }

    /** Ends the wait of the thread that sweeps, or its next one. */
    void hurry() {
        if (hurry.availablePermits() == 0) {
            hurry.release();
        }
    }

    /** Waits until there is a hurry, but no longer than {@code ms}. */
    void await(long ms) throws InterruptedException {
        if (hurry.tryAcquire(ms, TimeUnit.MILLISECONDS)) {
            hurry.drainPermits();
        }
    }
}
