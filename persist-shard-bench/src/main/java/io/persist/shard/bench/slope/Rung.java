package io.persist.shard.bench.slope;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * What appends cost after so many states.
 *
 * @param states how many there were before
 * @param appendNs of each append, in their order
 * @param openNs that a new client took to read the state
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares rungs
record Rung(int states, long[] appendNs, long openNs) {

    private static final int DIGITS = 3;

    Histogram histogram() {
        Histogram histogram = new Histogram(DIGITS);
        for (long ns : appendNs) {
            histogram.recordValue(ns);
        }
        return histogram;
    }

    double meanNs() {
        return LongStream.of(appendNs).average().orElse(0);
    }

    /** A row for each; the last column compares the median with that of the first one. */
    static void print(List<Rung> rungs, PrintStream out) {
        out.println("| states | n | mean µs | p50 µs | p95 µs | p99 µs | max µs | open µs | p50 to the first |");
        out.println("|---|---|---|---|---|---|---|---|---|");
        for (Rung rung : rungs) {
            Histogram histogram = rung.histogram();
            out.println(String.format(
                    Locale.ROOT,
                    "| %,d | %,d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f |",
                    rung.states,
                    rung.appendNs.length,
                    rung.meanNs() / 1e3,
                    histogram.getValueAtPercentile(50) / 1e3,
                    histogram.getValueAtPercentile(95) / 1e3,
                    histogram.getValueAtPercentile(99) / 1e3,
                    histogram.getMaxValue() / 1e3,
                    rung.openNs / 1e3,
                    (double) histogram.getValueAtPercentile(50)
                            / Math.max(1, rungs.get(0).histogram().getValueAtPercentile(50))));
        }
    }
}
