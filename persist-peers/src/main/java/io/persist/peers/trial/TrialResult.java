package io.persist.peers.trial;

import com.google.gson.Gson;
import io.persist.bench.result.Percentile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What came of a trial.
 *
 * @param count messages that were appended, or read, in {@code elapsedNs}; 0 if the mode has no rate
 * @param elapsedNs how long that took, with whatever it had to wait for in the end
 * @param latencies in ns, as {@link Latencies} encodes them; empty if there are none
 * @param figures what there is beside that
 * @param seconds how it went on; empty if nobody watched
 */
public record TrialResult(
        long count, long elapsedNs, String latencies, Map<Metric, Double> figures, List<Second> seconds) {

    /** So many latencies above a percentile make it one. */
    public static final int LEAST_ABOVE = 10;

    public static TrialResult of(long count, long elapsedNs, Histogram latencies) {
        return new TrialResult(count, elapsedNs, Latencies.encode(latencies), Map.of(), List.of());
    }

    public static TrialResult ofRate(long count, long elapsedNs, Map<Metric, Double> figures) {
        return new TrialResult(count, elapsedNs, "", figures, List.of());
    }

    public static TrialResult ofFigures(Map<Metric, Double> figures) {
        return ofRate(0, 0, figures);
    }

    public boolean hasLatencies() {
        return !latencies.isEmpty();
    }

    /** The latencies, ns. */
    public Histogram histogram() {
        return Latencies.decode(latencies);
    }

    /** All numbers that it leads to, in the order of tables. */
    public Map<Metric, Double> metrics() {
        Map<Metric, Double> metrics = new TreeMap<>(figures);
        if (elapsedNs > 0) {
            metrics.put(Metric.RATE, count * 1e9 / elapsedNs);
        }
        if (hasLatencies()) {
            Histogram histogram = histogram();
            Metric.PERCENTILES.forEach(
                    (metric, percent) -> metrics.put(metric, histogram.getValueAtPercentile(percent) / 1e3));
            metrics.put(Metric.MAX, histogram.getMaxValue() / 1e3);
        }
        return metrics;
    }

    /** Whether it is a percentile with so few latencies above it that the next trial may show another one. */
    public boolean isVague(Metric metric) {
        Double percent = Metric.PERCENTILES.get(metric);
        return percent != null
                && hasLatencies()
                && !Percentile.hasValuesAbove(percent, histogram().getTotalCount(), LEAST_ABOVE);
    }

    public void save(Path file) throws IOException {
        Files.writeString(file, new Gson().toJson(this));
    }

    public static TrialResult load(Path file) throws IOException {
        return new Gson().fromJson(Files.readString(file), TrialResult.class);
    }
}
