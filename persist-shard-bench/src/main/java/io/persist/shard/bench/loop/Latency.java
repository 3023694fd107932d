package io.persist.shard.bench.loop;

import org.HdrHistogram.Histogram;

/**
 * How long one kind of thing took.
 *
 * <p><b>Threads:</b> any; each method holds the lock for a moment.
 */
final class Latency {

    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(DIGITS);
    private final Histogram interval = new Histogram(DIGITS);
    private long latestNs;

    synchronized void took(long ns) {
        latestNs = Math.max(0, ns);
        histogram.recordValue(latestNs);
        interval.recordValue(latestNs);
    }

    /** All by now. */
    synchronized Histogram copy() {
        return histogram.copy();
    }

    /** Adds what came since the last call to {@code sum}. */
    synchronized void drainTo(Histogram sum) {
        sum.add(interval);
        interval.reset();
    }

    /** "1.2 ms, at most 3.4 ms". */
    synchronized String text() {
        return LoopLines.millis(latestNs) + ", at most " + LoopLines.millis(histogram.getMaxValue());
    }
}
