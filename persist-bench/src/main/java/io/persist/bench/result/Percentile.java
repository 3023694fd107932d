package io.persist.bench.result;

import io.persist.command.Text;
import org.HdrHistogram.Histogram;

/** What may be said of a percentile: of 1,000 values the 99.99th is the largest one, for want of values above it. */
public final class Percentile {

    /** Behind a value that is but the maximum. */
    public static final String MARK = "*";

    /** What the mark means, for below a table. */
    public static final String LEGEND = MARK + " the maximum: there are too few values for this percentile.";

    /** Of a percentage that was computed in binary fractions. */
    private static final double ROUNDING = 1e-6;

    private Percentile() {}

    /** Whether {@code count} values have one above the percentile, 0 to 100. */
    public static boolean hasValuesAbove(double percentile, long count) {
        return hasValuesAbove(percentile, count, 1);
    }

    /** Whether {@code count} values have at least so many above the percentile, 0 to 100. */
    public static boolean hasValuesAbove(double percentile, long count, int least) {
        return count * (100 - percentile) >= 100.0 * least - ROUNDING;
    }

    /** A percentile of {@code latencies}, in ns, as microseconds, with its mark. */
    public static String micros(Histogram latencies, double percentile) {
        return Text.micros(latencies.getValueAtPercentile(percentile)) + mark(percentile, latencies.getTotalCount());
    }

    /** What a table has behind a value that is but the maximum; empty behind others. */
    public static String mark(double percentile, long count) {
        return hasValuesAbove(percentile, count) ? "" : MARK;
    }
}
