package io.persist.shard.location;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Pauses that begin at 1 ms and double up to a second, until a time is over. One thread. */
public final class Backoff {

    private static final long FIRST_NS = 1_000_000;
    private static final long LONGEST_NS = 1_000_000_000;

    private final long startNs = System.nanoTime();
    private final long budgetNs;
    private long nextNs = FIRST_NS;

    /** Pauses of {@code budget} together. */
    public Backoff(Duration budget) {
        budgetNs = nanos(budget);
    }

    /** {@code time} in nanoseconds: none if it is negative, and 292 years if it is longer than that. */
    public static long nanos(Duration time) {
        return Math.max(0, TimeUnit.NANOSECONDS.convert(time));
    }

    /**
     * Pauses.
     *
     * @return false, without a pause, if the time is over
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean pause() throws InterruptedException {
        long leftNs = budgetNs - (System.nanoTime() - startNs);
        if (leftNs <= 0) {
            return false;
        }
        TimeUnit.NANOSECONDS.sleep(Math.min(leftNs, nextNs));
        nextNs = Math.min(LONGEST_NS, 2 * nextNs);
        return true;
    }
}
