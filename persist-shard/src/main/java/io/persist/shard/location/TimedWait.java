package io.persist.shard.location;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The wait of a thread until another one has changed something, or a time is over. */
public final class TimedWait {

    private static final long BETWEEN_CHECKS_NS = TimeUnit.SECONDS.toNanos(1);

    private TimedWait() {}

    /**
     * Waits on {@code monitor} until {@code isSo}, at most {@code longestNs}. The thread that makes it so notifies all.
     *
     * @param isSo asked with the monitor held
     * @return whether it is so
     * @throws InterruptedException if the thread is interrupted
     */
    public static boolean until(Object monitor, BooleanSupplier isSo, long longestNs) throws InterruptedException {
        synchronized (monitor) {
            long startNs = System.nanoTime();
            long leftNs = longestNs;
            while (!isSo.getAsBoolean() && leftNs > 0) {
                TimeUnit.NANOSECONDS.timedWait(monitor, leftNs);
                leftNs = longestNs - (System.nanoTime() - startNs);
            }
            return isSo.getAsBoolean();
        }
    }

    /**
     * The same; each second {@code check}, which may throw, is asked without the monitor. Nobody else may tell a thread
     * that waits that it need not any more.
     */
    public static boolean until(Object monitor, BooleanSupplier isSo, long longestNs, Runnable check)
            throws InterruptedException {
        long startNs = System.nanoTime();
        long leftNs = longestNs;
        while (!until(monitor, isSo, Math.min(leftNs, BETWEEN_CHECKS_NS))) {
            check.run();
            leftNs = longestNs - (System.nanoTime() - startNs);
            if (leftNs <= 0) {
                return false;
            }
        }
        return true;
    }
}
