package io.persist.peers.trial;

import org.HdrHistogram.Histogram;

/**
 * A second of a trial, or what there is of the last one.
 *
 * @param startNs since the first append began
 * @param endNs since then
 * @param count messages whose append returned in it
 * @param latencies of these appends, as {@link Latencies} encodes them
 */
public record Second(long startNs, long endNs, long count, String latencies) {

    public static Second of(long startNs, long endNs, Histogram latencies) {
        return new Second(startNs, endNs, latencies.getTotalCount(), Latencies.encode(latencies));
    }

    /** The latencies, ns. */
    public Histogram histogram() {
        return Latencies.decode(latencies);
    }

    public double perSecond() {
        return endNs == startNs ? 0 : count * 1e9 / (endNs - startNs);
    }
}
