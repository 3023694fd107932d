package io.persist.detached;

import io.persist.log.WaitStrategy;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a thread that waits for its commit gives its CPU away for a moment and looks again, or sleeps. Waking
 * a thread takes longer than many syncs, and longer still if many threads have to be woken. But a thread that yields
 * while others want the CPU gets it back only when their slices are over, milliseconds later; a thread that sleeps gets
 * it as soon as it is woken. So after a yield that took long no thread yields for a while.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
final class YieldPolicy {

    /** For some 300 µs if nobody wants the CPU: the time of a sync. */
    private static final int YIELDS = 1000;

    private static final long LONG_YIELD_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int maxYields;
    private final long longYieldNs;
    private final long pauseNs;

    /** Any thread's; which of two that write it at once is heeded does not matter. */
    private volatile long pausedUntilNs = System.nanoTime();

    YieldPolicy(int maxYields, long longYieldNs, long pauseNs) {
        this.maxYields = maxYields;
        this.longYieldNs = longYieldNs;
        this.pauseNs = pauseNs;
    }

    static YieldPolicy of(WaitStrategy strategy) {
        return switch (strategy) {
            case BUSY_SPIN, YIELDING -> new YieldPolicy(YIELDS, LONG_YIELD_NS, PAUSE_NS);
            case SLEEPING, BLOCKING -> new YieldPolicy(0, LONG_YIELD_NS, PAUSE_NS);
        };
    }

    /** Whether a thread may begin to yield at {@code nowNs}. */
    boolean mayBegin(long nowNs) {
        return maxYields > 0 && nowNs - pausedUntilNs >= 0;
    }

    /**
     * Whether a thread may yield again.
     *
     * @param yields how often it has
     * @param tookNs how long the last one took, until {@code nowNs}
     */
    boolean mayGoOn(int yields, long tookNs, long nowNs) {
        if (tookNs > longYieldNs) {
            pausedUntilNs = nowNs + pauseNs;
            return false;
        }
        return yields < maxYields;
    }
}
