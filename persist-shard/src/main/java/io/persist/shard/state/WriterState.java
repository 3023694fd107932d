package io.persist.shard.state;

import io.persist.shard.model.Frontier;

/**
 * A writer with a lease.
 *
 * @param heartbeatMs when it was last heard, in ms since 1970
 * @param leaseMs for how long that counts
 * @param token of its last append, or empty
 * @param upper that this append made
 */
public record WriterState(long heartbeatMs, long leaseMs, String token, Frontier upper) {

    /** When its lease is over, in ms since 1970. */
    long endMs() {
        return heartbeatMs + leaseMs;
    }

    boolean isExpired(long nowMs) {
        return nowMs - heartbeatMs > leaseMs;
    }

    WriterState heard(long nowMs) {
        return new WriterState(Heartbeat.next(heartbeatMs, nowMs, leaseMs), leaseMs, token, upper);
    }

    WriterState appended(String newToken, Frontier newUpper, long nowMs) {
        return new WriterState(Heartbeat.next(heartbeatMs, nowMs, leaseMs), leaseMs, newToken, newUpper);
    }
}
