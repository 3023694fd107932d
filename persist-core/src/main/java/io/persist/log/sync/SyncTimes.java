package io.persist.log.sync;

import io.persist.format.control.CounterBlock;
import io.persist.monitor.Counter;

/**
 * Times the syncs: for the statistics, for the guess how long the next one takes, and to say that one is slow, also
 * while it is under way.
 *
 * <p><b>Threads:</b> {@link #begin} and {@link #end} the one that leads a sync, the rest any. <b>Allocation:</b> none
 * for syncs that are not slow.
 */
final class SyncTimes {

    private final CounterBlock counters;
    private final SlowSyncs slowSyncs;

    /** How long a sync takes at most, as far as the last ones tell. Written by the thread that leads. */
    private volatile long expectedNs;

    SyncTimes(CounterBlock counters, String log) {
        this.counters = counters;
        this.slowSyncs = new SlowSyncs(log);
    }

    /** A sync begins; returns when, for {@link #end}. */
    long begin() {
        counters.set(Counter.SYNC_BEGAN_AT_MS, System.currentTimeMillis());
        long nowNs = System.nanoTime();
        slowSyncs.began(nowNs);
        return nowNs;
    }

    /** The sync that began at {@code startNs} is over, well or not; returns how long it took. */
    long end(long startNs) {
        long elapsedNs = System.nanoTime() - startNs;
        slowSyncs.ended();
        counters.set(Counter.SYNC_BEGAN_AT_MS, 0);
        counters.add(Counter.SYNC_NS, elapsedNs);
        counters.max(Counter.SYNC_MAX_NS, elapsedNs);
        // The longest of the last ones, forgotten slowly.
        expectedNs = Math.max(elapsedNs, expectedNs - (expectedNs >> 4));
        return elapsedNs;
    }

    /** Says it if a sync was slow. Not to be called with the turn to sync. */
    void took(long elapsedNs) {
        slowSyncs.took(elapsedNs, System.nanoTime());
    }

    /** Says that the sync under way takes very long, if it does, once for each: the device may never answer. */
    void sayIfStuck() {
        slowSyncs.sayIfStuck(System.nanoTime());
    }

    long expectedNs() {
        return expectedNs;
    }
}
