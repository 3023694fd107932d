package io.persist.peers;

import com.google.gson.GsonBuilder;
import io.persist.bench.result.HistogramLog;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.bench.result.RunResult;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.all.Engines;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Second;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What a comparison leaves in files. */
final class Results {

    private static final String PROGRAM = "compare-peers";
    private static final String LATENCIES = "latencies.hlog";

    private final Plan plan;
    private final Rounds rounds;
    private final Surroundings surroundings;
    private final Map<String, String> parameters;
    private final Instant startedAt;

    Results(Plan plan, Rounds rounds, Surroundings surroundings, PeersParameters flags, Instant startedAt) {
        this.plan = plan;
        this.rounds = rounds;
        this.surroundings = surroundings;
        this.parameters = parameters(flags);
        this.startedAt = startedAt;
    }

    private static Map<String, String> parameters(PeersParameters flags) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("rounds", Integer.toString(flags.rounds()));
        parameters.put("seconds", Double.toString(flags.seconds()));
        parameters.put("messages", Long.toString(flags.messages()));
        parameters.put("warmup", Double.toString(flags.warmup()));
        parameters.put("size", Integer.toString(flags.size()));
        parameters.put("rate", Long.toString(flags.rate()));
        parameters.put("reopen-mib", Long.toString(flags.reopenMib()));
        parameters.put("sustained-gb", Double.toString(flags.sustainedGb()));
        parameters.put("sustained-seconds", Double.toString(flags.sustainedSeconds()));
        parameters.put("sustained-max-gb", Double.toString(flags.sustainedMaxGb()));
        return parameters;
    }

    /**
     * An engine in a mode, as the JSON file has it.
     *
     * @param parameters as they were for this mode
     * @param metrics medians, by the heading of the column
     * @param ratios medians of the ratios to the baseline
     * @param rounds the metrics of each round
     * @param latencies how many were measured in each round; null if the mode has none
     * @param perSecond messages in each second of each round; null if the mode does not watch them
     */
    private record Row(
            String mode,
            String engine,
            String library,
            String survives,
            Map<String, String> parameters,
            Map<String, Double> metrics,
            Map<String, Double> ratios,
            List<Map<String, Double>> rounds,
            @Nullable List<Long> latencies,
            @Nullable List<List<Long>> perSecond) {}

    /** The JSON file. */
    private record Comparison(
            String program,
            List<String> command,
            String startedAt,
            Map<String, String> environment,
            Map<String, String> parameters,
            String baseline,
            List<Row> rows,
            List<String> failures) {}

    /** Writes all numbers to a file. */
    void writeJson(Path file, List<String> failures) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            for (String engine : plan.engines(mode)) {
                if (!rounds.of(mode, engine).isEmpty()) {
                    rows.add(row(mode, engine));
                }
            }
        }
        Comparison comparison = new Comparison(
                PROGRAM,
                surroundings.command(),
                startedAt.toString(),
                surroundings.facts(),
                parameters,
                Rounds.BASELINE,
                rows,
                failures);
        String json = new GsonBuilder()
                .setPrettyPrinting()
                .disableHtmlEscaping()
                .create()
                .toJson(comparison);
        ResultFile.write(file, (json + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private Row row(Mode mode, String engine) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (Metric metric : mode.metrics()) {
            rounds.median(mode, engine, metric).ifPresent(value -> metrics.put(metric.heading(), value));
            rounds.medianRatio(mode, engine, metric).ifPresent(value -> ratios.put(metric.shortName(), value));
        }
        List<Map<String, Double>> each = new ArrayList<>();
        for (TrialResult result : rounds.of(mode, engine)) {
            each.add(byHeading(result.metrics()));
        }
        EngineKind kind = Engines.byId(engine).orElseThrow();
        return new Row(
                mode.id(),
                engine,
                kind.library(),
                mode.survival(kind).toString(),
                own(mode, engine),
                metrics,
                ratios,
                each,
                latencies(mode, engine),
                perSecond(mode, engine));
    }

    private @Nullable List<Long> latencies(Mode mode, String engine) {
        List<TrialResult> all = rounds.of(mode, engine);
        return all.stream().allMatch(TrialResult::hasLatencies)
                ? all.stream().map(each -> each.histogram().getTotalCount()).toList()
                : null;
    }

    private @Nullable List<List<Long>> perSecond(Mode mode, String engine) {
        List<List<Long>> all = rounds.of(mode, engine).stream()
                .map(result -> result.seconds().stream().map(Second::count).toList())
                .toList();
        return all.stream().allMatch(List::isEmpty) ? null : all;
    }

    private static Map<String, Double> byHeading(Map<Metric, Double> metrics) {
        Map<String, Double> named = new LinkedHashMap<>();
        metrics.forEach((metric, value) -> named.put(metric.heading(), value));
        return named;
    }

    /** As {@link RunOutput#take} for the runs of {@code plan}. */
    static RunOutput take(Plan plan, @Nullable Path parent) throws IOException {
        if (parent == null) {
            return RunOutput.none();
        }
        List<Path> directories = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            for (String engine : plan.engines(mode)) {
                directories.add(directory(parent, mode, engine));
            }
        }
        return RunOutput.take(PROGRAM, parent, directories);
    }

    private static Path directory(Path parent, Mode mode, String engine) {
        return parent.resolve(mode.id() + "-" + engine);
    }

    /** Writes a run for each mode and engine, in a directory of its own below {@code parent}. */
    void writeRuns(Path parent) throws IOException {
        for (Mode mode : Mode.values()) {
            for (String engine : plan.engines(mode)) {
                List<TrialResult> results = rounds.of(mode, engine);
                if (!results.isEmpty()) {
                    writeRun(directory(parent, mode, engine), mode, engine, results);
                }
            }
        }
    }

    private void writeRun(Path directory, Mode mode, String engine, List<TrialResult> results) throws IOException {
        RunFiles.begin(PROGRAM, directory);
        List<RunResult.Series> series = new ArrayList<>();
        if (results.get(0).hasLatencies()) {
            writeLatencies(directory.resolve(LATENCIES), results);
            series.add(new RunResult.Series(mode.series(), LATENCIES));
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Metric metric : results.get(0).figures().keySet()) {
            rounds.median(mode, engine, metric).ifPresent(value -> figures.put(metric.heading(), value));
        }
        String survives = survives(mode, engine);
        String name = engine + " " + mode.id();
        new RunFiles(PROGRAM, surroundings.command(), surroundings.facts())
                .write(
                        directory,
                        new RunFiles.Measured(
                                survives.contains(",") ? name + " (" + survives + ")" : name,
                                startedAt,
                                own(mode, engine),
                                results.stream().mapToLong(TrialResult::count).sum(),
                                results.stream()
                                        .mapToLong(TrialResult::elapsedNs)
                                        .sum(),
                                figures,
                                intervals(results),
                                List.of()),
                        series);
    }

    /** The flags as they are for this mode: it may be longer than others, and have another rate or none. */
    private Map<String, String> own(Mode mode, String engine) {
        Trial trial = plan.trial(mode, engine);
        Map<String, String> own = new LinkedHashMap<>(parameters);
        own.put("seconds", Double.toString(trial.seconds()));
        own.put("messages", Long.toString(trial.messages()));
        own.put("rate", Long.toString(trial.rate()));
        own.keySet().removeIf(name -> name.equals("rate") && !mode.isPaced());
        own.keySet().removeIf(name -> name.startsWith("sustained-") && mode != Mode.SUSTAINED);
        own.keySet().removeIf(name -> name.startsWith("reopen-") && mode.work() != Mode.Work.OPENED);
        own.put("mode", mode.id());
        own.put("engine", engine);
        own.put("survives", survives(mode, engine));
        return own;
    }

    private static String survives(Mode mode, String engine) {
        return PeersTable.survives(mode, Engines.byId(engine).orElseThrow());
    }

    /** The seconds of all rounds, one round after the other; empty if they were not watched. */
    private static List<RunResult.Interval> intervals(List<TrialResult> results) {
        List<RunResult.Interval> intervals = new ArrayList<>();
        long startNs = 0;
        for (TrialResult result : results) {
            for (Second second : result.seconds()) {
                intervals.add(new RunResult.Interval(startNs + second.endNs(), second.count(), Map.of()));
            }
            startNs += result.elapsedNs();
        }
        return intervals;
    }

    /** Those of all rounds as one interval, or one round after the other by its seconds. */
    private void writeLatencies(Path file, List<TrialResult> results) throws IOException {
        long startMs = startedAt.toEpochMilli();
        List<Histogram> histograms = new ArrayList<>();
        long startNs = 0;
        for (TrialResult result : results) {
            for (Second second : result.seconds()) {
                Histogram histogram = second.histogram();
                histogram.setStartTimeStamp(startMs + (startNs + second.startNs()) / 1_000_000);
                histogram.setEndTimeStamp(startMs + (startNs + second.endNs()) / 1_000_000);
                histograms.add(histogram);
            }
            startNs += result.elapsedNs();
        }
        if (histograms.isEmpty()) {
            Histogram merged = results.get(0).histogram();
            results.stream().skip(1).forEach(each -> merged.add(each.histogram()));
            merged.setStartTimeStamp(startMs);
            merged.setEndTimeStamp(startMs + startNs / 1_000_000);
            histograms.add(merged);
        }
        try (HistogramLog log = new HistogramLog(ResultFile.create(file), startMs)) {
            histograms.forEach(log::add);
        }
    }
}
