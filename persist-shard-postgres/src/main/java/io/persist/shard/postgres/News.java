package io.persist.shard.postgres;

import io.persist.shard.location.Consensus;
import io.persist.shard.location.TimedWait;
import java.util.HashMap;
import java.util.Map;

/**
 * The newest versions that this process has made or was told of, to wake its threads that wait for them.
 *
 * <p><b>Threads:</b> any.
 */
final class News {

    private final Map<String, Long> newest = new HashMap<>();
    private long gaps;

    /** The key has the version {@code number} now. */
    synchronized void tell(String key, long number) {
        newest.merge(key, number, Math::max);
        notifyAll();
    }

    /** Something may have been missed: all threads that wait have to look. */
    synchronized void tellOfAGap() {
        gaps++;
        notifyAll();
    }

    /** How often something may have been missed. */
    synchronized long gaps() {
        return gaps;
    }

    /**
     * Waits at most {@code longestNs} for a number above {@code number}, or another gap than those that are known.
     *
     * @param check asked each second; it may throw
     * @return whether there is such a number
     */
    boolean await(String key, long number, long longestNs, long knownGaps, Runnable check) throws InterruptedException {
        boolean unused = TimedWait.until(this, () -> isKnown(key, number) || gaps() != knownGaps, longestNs, check);
        return isKnown(key, number);
    }

    private synchronized boolean isKnown(String key, long number) {
        return newest.getOrDefault(key, Consensus.NONE) > number;
    }
}
