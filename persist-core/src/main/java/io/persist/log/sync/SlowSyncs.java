package io.persist.log.sync;

import io.persist.event.Notices;
import java.util.concurrent.TimeUnit;

/**
 * Logs that syncs have become slow: once for an episode, which is over when a minute has passed without a slow sync. A
 * sync that takes very long is logged in any case, and already while it is under way: the device may not answer at all.
 *
 * <p><b>Threads:</b> any; {@link #began} and {@link #ended} the one that leads a sync. <b>Allocation:</b> none for
 * syncs that are not slow.
 */
final class SlowSyncs {

    /** No sound device needs this long, and most applications that wait for a commit notice it. */
    static final long THRESHOLD_NS = TimeUnit.SECONDS.toNanos(1);

    /** From here on each one is logged. */
    static final long STUCK_NS = TimeUnit.SECONDS.toNanos(5);

    static final long EPISODE_NS = TimeUnit.MINUTES.toNanos(1);

    private final String log;
    private long count;
    private long lastNs;
    private boolean isUnderWay;
    private boolean isSaid;
    private long beganNs;

    SlowSyncs(String log) {
        this.log = log;
    }

    /** A sync begins at {@code nowNs}. */
    synchronized void began(long nowNs) {
        beganNs = nowNs;
        isSaid = false;
        isUnderWay = true;
    }

    /** The sync that began is over. */
    synchronized void ended() {
        isUnderWay = false;
    }

    /** Says that the sync under way takes very long, if it does at {@code nowNs}. Threads call it while they wait. */
    void sayIfStuck(long nowNs) {
        long elapsedNs = stuckFor(nowNs);
        if (elapsedNs > 0) {
            Notices.stuckSync(log, elapsedNs);
        }
    }

    /** How long the sync has been under way that has to be logged now; 0 if there is none. */
    private synchronized long stuckFor(long nowNs) {
        long elapsedNs = nowNs - beganNs;
        if (!isUnderWay || isSaid || elapsedNs < STUCK_NS) {
            return 0;
        }
        isSaid = true;
        return elapsedNs;
    }

    /** A sync took {@code elapsedNs} and has ended at {@code nowNs}. Not to be called with a lock that others need. */
    void took(long elapsedNs, long nowNs) {
        if (elapsedNs >= THRESHOLD_NS) {
            boolean isStuck = elapsedNs >= STUCK_NS;
            long counted = count(nowNs, isStuck);
            if (counted > 0) {
                Notices.slowSync(log, elapsedNs, THRESHOLD_NS, counted);
            }
        }
    }

    /** How many slow ones there were, if this one has to be logged; 0 if it has not. */
    private synchronized long count(long nowNs, boolean isStuck) {
        boolean begins = count == 0 || nowNs - lastNs >= EPISODE_NS;
        count++;
        lastNs = nowNs;
        return begins || isStuck ? count : 0;
    }
}
