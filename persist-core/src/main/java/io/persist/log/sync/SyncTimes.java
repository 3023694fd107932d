package io.persist.log.sync;

import io.persist.event.Notices;
import io.persist.format.control.CounterBlock;
import io.persist.monitor.Counter;
import java.util.concurrent.TimeUnit;

/**
 * Times the syncs: for the statistics, for the guess how long the next one takes, and to say in the application's
 * logging that they have become slow. That is said once for an episode, which is over when a minute has passed without
 * a slow sync. One that takes very long is logged in any case, and already while it is under way: the device may not
 * answer at all.
 *
 * <p><b>Threads:</b> {@link #began} and {@link #ended} the one that leads a sync, the rest any. <b>Allocation:</b> none
 * for syncs that are not slow.
 */
final class SyncTimes {

    /** No sound device needs this long, and most applications that wait for a commit notice it. */
    static final long SLOW_NS = TimeUnit.SECONDS.toNanos(1);

    /** From here on each one is logged. */
    static final long STUCK_NS = TimeUnit.SECONDS.toNanos(5);

    static final long EPISODE_NS = TimeUnit.MINUTES.toNanos(1);

    private final CounterBlock counters;
    private final String log;

    /** How long a sync takes at most, as far as the last ones tell. Written by the thread that leads. */
    private volatile long expectedNs;

    private volatile long beganNs;

    /** Whether a sync is under way of which nobody has said yet that it takes very long. */
    private volatile boolean isUnsaid;

    private long slowCount;
    private long lastSlowNs;

    SyncTimes(CounterBlock counters, String log) {
        this.counters = counters;
        this.log = log;
    }

    /** A sync begins at {@code nowNs}. */
    void began(long nowNs) {
        counters.set(Counter.SYNC_BEGAN_AT_MS, System.currentTimeMillis());
        synchronized (this) {
            beganNs = nowNs;
            isUnsaid = true;
        }
    }

    /** The sync that began is over at {@code nowNs}, well or not; returns how long it took. */
    long ended(long nowNs) {
        long elapsedNs;
        synchronized (this) {
            elapsedNs = nowNs - beganNs;
            isUnsaid = false;
        }
        counters.set(Counter.SYNC_BEGAN_AT_MS, 0);
        counters.add(Counter.SYNC_NS, elapsedNs);
        counters.max(Counter.SYNC_MAX_NS, elapsedNs);
        // The longest of the last ones, forgotten slowly.
        expectedNs = Math.max(elapsedNs, expectedNs - (expectedNs >> 4));
        return elapsedNs;
    }

    /** Says that the sync under way takes very long, if it does at {@code nowNs}. Threads call it while they wait. */
    void sayIfStuck(long nowNs) {
        if (!isUnsaid || nowNs - beganNs < STUCK_NS) {
            return; // without the monitor, which the thread that syncs would want too while many look
        }
        long elapsedNs = stuckFor(nowNs);
        if (elapsedNs > 0) {
            Notices.stuckSync(log, elapsedNs);
        }
    }

    /** How long the sync has been under way that has to be logged now; 0 if there is none. */
    private synchronized long stuckFor(long nowNs) {
        long elapsedNs = nowNs - beganNs;
        if (!isUnsaid || elapsedNs < STUCK_NS) {
            return 0;
        }
        isUnsaid = false;
        return elapsedNs;
    }

    /** A sync took {@code elapsedNs} and has ended at {@code nowNs}. Not to be called with the turn to sync. */
    void took(long elapsedNs, long nowNs) {
        if (elapsedNs >= SLOW_NS) {
            long count = countSlow(nowNs, elapsedNs >= STUCK_NS);
            if (count > 0) {
                Notices.slowSync(log, elapsedNs, SLOW_NS, count);
            }
        }
    }

    /** How many slow ones there were, if this one has to be logged; 0 if it has not. */
    private synchronized long countSlow(long nowNs, boolean isStuck) {
        boolean begins = slowCount == 0 || nowNs - lastSlowNs >= EPISODE_NS;
        slowCount++;
        lastSlowNs = nowNs;
        return begins || isStuck ? slowCount : 0;
    }

    long expectedNs() {
        return expectedNs;
    }
}
