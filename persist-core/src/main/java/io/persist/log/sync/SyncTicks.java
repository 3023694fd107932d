package io.persist.log.sync;

/**
 * When a sync of each interval begins: early enough to be done in time, as far as the device takes no longer than it
 * did lately. From one beginning to the next there is never more than the interval, also when a sync has taken less
 * than expected, or less is expected of the next one.
 *
 * <p><b>Threads:</b> the one that syncs in the background.
 */
final class SyncTicks {

    /** There is no interval. */
    static final long NEVER = Long.MAX_VALUE;

    private long lastNs;

    /** The first interval begins at {@code nowNs}. */
    SyncTicks(long nowNs) {
        this.lastNs = nowNs;
    }

    /** When the next sync has to be done, with this interval. */
    long nextNs(long intervalNs) {
        return intervalNs == NEVER ? NEVER : lastNs + intervalNs;
    }

    /** A sync that began at {@code startNs} is done, of which was expected how long it takes, and of the next one. */
    void synced(long startNs, long expectedNs, long nextExpectedNs) {
        lastNs = startNs + Math.min(expectedNs, nextExpectedNs);
    }
}
