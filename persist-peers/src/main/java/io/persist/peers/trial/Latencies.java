package io.persist.peers.trial;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The histograms of latencies, ns: three digits, up to an hour. */
final class Latencies {

    private static final long MAX_NS = TimeUnit.HOURS.toNanos(1);

    private Latencies() {}

    static Histogram empty() {
        return new Histogram(MAX_NS, 3);
    }

    static void record(Histogram histogram, long ns) {
        histogram.recordValue(Math.max(0, Math.min(ns, MAX_NS)));
    }
}
