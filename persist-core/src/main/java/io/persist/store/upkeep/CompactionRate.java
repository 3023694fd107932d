package io.persist.store.upkeep;

import java.util.concurrent.TimeUnit;

/**
 * How fast compaction works. It has to give back what the writers make superfluous, or the log grows; so its rate
 * follows that, as it was in the last seconds, and rises evenly the nearer the log comes to the most space that it may
 * take, and beyond that.
 *
 * <pre>
 *    rate = (least + garbage made per second x cost of a byte that is given back) x factor
 *
 *    factor     2 |              ⋰
 *               1 |________⋰
 *                   start      most      bytes on disk per byte that is needed
 * </pre>
 *
 * <p>Half way from the start to the most it gives back what is made, and a little more. Where it works faster than the
 * device can, nothing bounds the log.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
final class CompactionRate {

    /** Over so much time what is made is smoothed. */
    private static final double WINDOW_NS = TimeUnit.SECONDS.toNanos(2);

    private static final double FACTOR_AT_MOST = 2;

    /** Compaction begins so far on the way from no garbage to the most. */
    private static final double START = 0.75;

    /** The same of a store at rest, checkpoints included. */
    private static final double START_AT_REST = 0.2;

    /** However much checkpoints take, a store at rest does not copy ten bytes and more for each that it gives back. */
    private static final double LEAST_AT_REST = 1.1;

    private final long leastPerSecond;
    private final double start;
    private final double startAtRest;
    private final double most;

    private boolean isBegun;
    private long lastGarbage;
    private long lastNs;
    private double garbagePerNs;

    /**
     * Keeps to {@code most} bytes on disk per byte that is needed, 0 for no bound.
     *
     * @param leastPerSecond how many bytes it reads and writes in a second if no garbage is made
     */
    CompactionRate(double most, long leastPerSecond) {
        this.most = most;
        this.start = 1 + START * (most - 1);
        this.startAtRest = 1 + START_AT_REST * (most - 1);
        this.leastPerSecond = leastPerSecond;
    }

    /** Whether there is so much space, without what no move gives back, that compaction has to work. */
    boolean isDue(long space, long live) {
        return most > 0 && space > start * live;
    }

    /**
     * The same of a store at rest, which has time for what does not pay while it is used.
     *
     * @param space bytes of the log, without what is prepared for records to come, or no move gives back
     * @param checkpoints their bytes on disk, which no compaction gives back
     */
    boolean isDueAtRest(long space, long checkpoints, long live) {
        return most > 0 && space > LEAST_AT_REST * live && space + checkpoints > startAtRest * live;
    }

    /** How long it takes to read all and to write again what is needed, if nothing hurries. */
    long wholeNs(long space, long live) {
        return (long) (((double) space + live) / leastPerSecond * TimeUnit.SECONDS.toNanos(1));
    }

    /**
     * There was so much garbage in all until now, whatever was given back of it.
     *
     * @param garbage by how much the log has grown, but for what moves have appended, without what is needed
     */
    void observe(long garbage, long nowNs) {
        if (isBegun && nowNs > lastNs) {
            double elapsedNs = nowNs - lastNs;
            double weight = 1 - Math.exp(-elapsedNs / WINDOW_NS);
            garbagePerNs += weight * (Math.max(0, garbage - lastGarbage) / elapsedNs - garbagePerNs);
        }
        isBegun = true;
        lastGarbage = garbage;
        lastNs = nowNs;
    }

    /** What the writers make superfluous. */
    long garbagePerSecond() {
        return (long) (garbagePerNs * TimeUnit.SECONDS.toNanos(1));
    }

    /**
     * How many bytes to read and write in a second.
     *
     * @param needed the part of the bytes it reads that it has to write again, below 1
     */
    long bytesPerSecond(long space, long live, double needed) {
        double cost = (1 + needed) / (1 - needed);
        return (long) Math.min(Long.MAX_VALUE, (leastPerSecond + garbagePerSecond() * cost) * factor(space, live));
    }

    /** How much faster than at its beginning compaction has to be, and what keeps it waiting; 1 or more. */
    double factor(long space, long live) {
        double ratio = live == 0 ? most : (double) space / live;
        return most == 0 ? 1 : Math.max(1, FACTOR_AT_MOST * (ratio - start) / (most - start));
    }
}
