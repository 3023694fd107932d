package io.persist.bench.doctor.disk;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What an operation took, ns.
 *
 * @param samples how often it was measured; 0 if it is refused
 * @param refusal why there is nothing, in the words of the JVM; null if there is something
 */
public record Measurement(
        Operation operation,
        Space space,
        long samples,
        double meanNs,
        long p50Ns,
        long p90Ns,
        long p99Ns,
        long maxNs,
        @Nullable String refusal) {

    public static Measurement of(Operation operation, Space space, Histogram histogram) {
        return new Measurement(
                operation,
                space,
                histogram.getTotalCount(),
                histogram.getMean(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue(),
                null);
    }

    static Measurement refused(Operation operation, Space space, String refusal) {
        return new Measurement(operation, space, 0, 0, 0, 0, 0, 0, refusal);
    }

    public boolean isMeasured() {
        return samples > 0;
    }
}
