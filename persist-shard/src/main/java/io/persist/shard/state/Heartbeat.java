package io.persist.shard.state;

/**
 * When a holder of a lease was last heard, in ms since 1970 by its own clock. It goes forward only, unless that clock
 * was ahead and was set back by more than the lease: what was heard then would else count until that time, also if the
 * process is killed.
 */
final class Heartbeat {

    private Heartbeat() {}

    /** The one behind {@code lastMs} if it is heard at {@code nowMs}. */
    static long next(long lastMs, long nowMs, long leaseMs) {
        return isAhead(lastMs, nowMs, leaseMs) ? nowMs : Math.max(lastMs, nowMs);
    }

    /** A version is worth a sign of life when a quarter of the lease is over. */
    static boolean isDue(long lastMs, long nowMs, long leaseMs) {
        return nowMs - lastMs > leaseMs / 4 || isAhead(lastMs, nowMs, leaseMs);
    }

    private static boolean isAhead(long lastMs, long nowMs, long leaseMs) {
        return lastMs - nowMs > leaseMs;
    }
}
