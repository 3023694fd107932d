package io.persist.shard.state;

import io.persist.shard.model.Frontier;

/**
 * A reader with a lease.
 *
 * @param since from where on it wants to read
 * @param hold the least version whose objects it may be reading
 * @param heartbeatMs when it was last heard, in ms since 1970
 * @param leaseMs for how long that counts
 */
public record ReaderState(Frontier since, long hold, long heartbeatMs, long leaseMs) {

    /** When its lease is over, in ms since 1970. */
    long endMs() {
        return heartbeatMs + leaseMs;
    }

    boolean isExpired(long nowMs) {
        return nowMs - heartbeatMs > leaseMs;
    }

    ReaderState with(Frontier newSince, long newHold, long nowMs) {
        return new ReaderState(
                Frontier.greatest(since, newSince),
                Math.max(hold, newHold),
                Heartbeat.next(heartbeatMs, nowMs, leaseMs),
                leaseMs);
    }
}
