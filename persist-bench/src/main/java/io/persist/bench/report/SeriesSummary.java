package io.persist.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The latencies of one kind, as the report shows them; all in ns.
 *
 * @param percentilesNs at {@link #PERCENTILES}
 * @param curveNs at the shares 1 - 1 / 10^(i / {@link #CURVE_POINTS_PER_DECADE}) for i = 0, 1, …, as far as the number
 *     of values tells them apart, and then the maximum
 * @param slices how they changed: the start and the end, ns since the run's start, the number of values, and their
 *     50th percentile, 99th percentile and maximum, which are 0 without a value
 */
record SeriesSummary(
        String name,
        long count,
        double meanNs,
        List<Long> percentilesNs,
        long maxNs,
        List<Long> curveNs,
        List<List<Long>> slices) {

    static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 99.99);

    static final int CURVE_POINTS_PER_DECADE = 20;

    static SeriesSummary of(String name, Histogram total, List<List<Long>> slices) {
        return new SeriesSummary(
                name,
                total.getTotalCount(),
                total.getTotalCount() == 0 ? 0 : total.getMean(),
                PERCENTILES.stream().map(total::getValueAtPercentile).toList(),
                total.getMaxValue(),
                curve(total),
                slices);
    }

    private static List<Long> curve(Histogram total) {
        List<Long> values = new ArrayList<>();
        if (total.getTotalCount() == 0) {
            return values;
        }
        double oneOf = 1;
        for (int i = 1; oneOf < total.getTotalCount(); i++) {
            values.add(total.getValueAtPercentile(100 * (1 - 1 / oneOf)));
            oneOf = Math.pow(10, (double) i / CURVE_POINTS_PER_DECADE);
        }
        values.add(total.getMaxValue());
        return values;
    }
}
