package io.persist.peers;

import io.persist.bench.result.Median;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/** The results of all trials, and what is made of the rounds: medians, and medians of ratios within a round. */
final class Rounds {

    /** The engine that the others are compared with. */
    static final String BASELINE = "persist";

    /** By mode, engine and round. */
    private final Map<Mode, Map<String, Map<Integer, TrialResult>>> results = new EnumMap<>(Mode.class);

    void add(Trial trial, TrialResult result) {
        results.computeIfAbsent(trial.mode(), mode -> new TreeMap<>())
                .computeIfAbsent(trial.engine(), engine -> new TreeMap<>())
                .put(trial.round(), result);
    }

    /** The results of an engine in the order of rounds, without those that failed. */
    List<TrialResult> of(Mode mode, String engine) {
        return List.copyOf(rounds(mode, engine).values());
    }

    private Map<Integer, TrialResult> rounds(Mode mode, String engine) {
        return results.getOrDefault(mode, Map.of()).getOrDefault(engine, Map.of());
    }

    /** The median over the rounds; empty if there is none. */
    OptionalDouble median(Mode mode, String engine, Metric metric) {
        return Median.of(rounds(mode, engine).values().stream()
                .map(each -> each.metrics().get(metric))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue));
    }

    /** Whether it is a percentile of too few latencies in one of the rounds. */
    boolean isVague(Mode mode, String engine, Metric metric) {
        return rounds(mode, engine).values().stream().anyMatch(each -> each.isVague(metric));
    }

    /** The median, over the rounds that both have, of an engine's number divided by the baseline's in that round. */
    OptionalDouble medianRatio(Mode mode, String engine, Metric metric) {
        Map<Integer, TrialResult> baseline = rounds(mode, BASELINE);
        DoubleStream.Builder ratios = DoubleStream.builder();
        rounds(mode, engine).forEach((round, result) -> {
            TrialResult base = baseline.get(round);
            Double value = result.metrics().get(metric);
            Double baseValue = base == null ? null : base.metrics().get(metric);
            if (value != null && baseValue != null && baseValue > 0) {
                ratios.add(value / baseValue);
            }
        });
        return Median.of(ratios.build());
    }
}
