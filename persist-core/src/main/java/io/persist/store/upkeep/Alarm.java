package io.persist.store.upkeep;

import io.persist.store.core.StoreCore;

/**
 * When the thread of the upkeep looks whether something is due: after the time that it has found, or earlier if a
 * commit or another thread asks for it.
 *
 * <p>A commit asks for it once so much log was written. Removals are a few bytes of log, however much they make
 * superfluous. So as long as something has changed since the look before, the thread pauses no longer than it takes
 * until a store may be at rest. Once it has found that nothing has changed and nothing is due it sleeps, and the next
 * commit wakes it, whatever that is.
 *
 * <p><b>Threads:</b> any, with the store's lock; the thread of the upkeep takes it. <b>Allocation:</b> some in a look.
 */
final class Alarm {

    private final StoreCore core;
    private final long lookBytes;
    private final long restNs;
    private long lookAt;
    private boolean isAsked;

    /** Whether the thread would not look in time if something changed. */
    private boolean isAsleep;

    /** After which change the thread paused last; negative if the index had not got all of that. */
    private long pausedAfter;

    /** A look is due after {@code lookBytes} of log, or {@code restNs} after a change at the latest. */
    Alarm(StoreCore core, long lookBytes, long restNs) {
        this.core = core;
        this.lookBytes = lookBytes;
        this.restNs = restNs;
        this.pausedAfter = core.changeNumber();
    }

    /** Whether a commit up to {@code end} has to ask for a look. */
    boolean isDue(long end) {
        return isAsleep || end >= lookAt;
    }

    /** Asks for a look. */
    void ask() {
        isAsked = true;
        lookAt = core.appliedEnd() + lookBytes;
    }

    /** Whether a look was asked for that has not begun. */
    boolean isAsked() {
        return isAsked;
    }

    /** What is asked for from now on is for the look after this one. Without the lock. */
    void beginLook() {
        core.lockedAnyway(() -> isAsked = false);
    }

    /**
     * How long the thread may pause after a look; not at all if one more was asked for. Without the lock.
     *
     * @param foundNs how long nothing is due if nothing changes, as the look has found
     */
    long pauseNs(long foundNs) {
        return core.readAnyway(() -> lockedPauseNs(foundNs));
    }

    private long lockedPauseNs(long foundNs) {
        long change = core.state().isSettled() ? core.changeNumber() : -1;
        boolean isSame = change >= 0 && change == pausedAfter;
        pausedAfter = change;
        isAsleep = isSame && foundNs > restNs;
        if (isAsked) {
            return 0;
        }
        return isSame ? foundNs : Math.min(foundNs, restNs);
    }
}
