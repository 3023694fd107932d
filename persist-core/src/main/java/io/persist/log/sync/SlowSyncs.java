package io.persist.log.sync;

import io.persist.event.Notices;
import java.util.concurrent.TimeUnit;

/**
 * Logs that syncs have become slow: once for an episode, which is over when a minute has passed without a slow sync.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none for syncs that are not slow.
 */
final class SlowSyncs {

    /** No sound device needs this long, and most applications that wait for a commit notice it. */
    static final long THRESHOLD_NS = TimeUnit.SECONDS.toNanos(1);

    static final long EPISODE_NS = TimeUnit.MINUTES.toNanos(1);

    private final String log;
    private long count;
    private long lastNs;

    SlowSyncs(String log) {
        this.log = log;
    }

    /** A sync took {@code elapsedNs} and has ended at {@code nowNs}. Not to be called with a lock that others need. */
    void took(long elapsedNs, long nowNs) {
        if (elapsedNs >= THRESHOLD_NS) {
            long counted = count(nowNs);
            if (counted > 0) {
                Notices.slowSync(log, elapsedNs, THRESHOLD_NS, counted);
            }
        }
    }

    /** How many slow ones there were, if this one begins an episode; 0 if it does not. */
    private synchronized long count(long nowNs) {
        boolean begins = count == 0 || nowNs - lastNs >= EPISODE_NS;
        count++;
        lastNs = nowNs;
        return begins ? count : 0;
    }
}
