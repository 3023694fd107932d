package io.persist.shard.postgres;

import io.persist.shard.location.Consensus;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The newest versions that this process has made, to wake its threads that wait for them.
 *
 * <p><b>Threads:</b> any.
 */
final class News {

    private final Map<String, Long> newest = new HashMap<>();

    /** The key has the version {@code number} now. */
    synchronized void tell(String key, long number) {
        newest.merge(key, number, Math::max);
        notifyAll();
    }

    /** Waits at most {@code longestNs} for a number above {@code number}; says whether there is one. */
    synchronized boolean await(String key, long number, long longestNs) throws InterruptedException {
        long startNs = System.nanoTime();
        long leftNs = longestNs;
        while (newest.getOrDefault(key, Consensus.NONE) <= number && leftNs > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            leftNs = longestNs - (System.nanoTime() - startNs);
        }
        return newest.getOrDefault(key, Consensus.NONE) > number;
    }
}
