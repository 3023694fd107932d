package io.persist.kafka.bench;

import com.google.gson.GsonBuilder;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.bench.result.RunResult;
import io.persist.kafka.bench.server.EngineKind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bin/persist kafka} prints and leaves in files.
 *
 * @param command the command line
 * @param environment the machine
 * @param parameters what was asked for
 * @param startedAt when it began
 */
record KafkaReport(
        List<String> command, Map<String, String> environment, Map<String, String> parameters, Instant startedAt) {

    private static final double SMALL = 100;

    void printHeading(PrintStream out) {
        out.println("# The state of a workflow engine in Kafka Streams");
        out.println();
        out.println("    " + String.join(" ", command));
        out.println();
        environment.forEach((name, value) -> out.println("- " + name + ": " + value));
        parameters.forEach((name, value) -> out.println("- " + name + ": " + value));
        out.println("- Each engine has, in turn, an application of its own on the same broker, and a JVM of its own, in"
                + " which the code is not compiled at first. No store has a cache or a sync before Kafka asks for"
                + " it; what survives is in Kafka's changelog.");
        out.println("- A range is what a whole scan takes of the store's time; a timer scan is that with its deletions."
                + " The longest pause is between the ends of two commands.");
        out.println();
        out.flush();
    }

    /** A row for each figure, with the median of each engine. */
    void printTable(Map<EngineKind, List<TrialResult>> results, PrintStream out) {
        Map<EngineKind, Map<String, Double>> medians = new LinkedHashMap<>();
        results.forEach((engine, rounds) -> medians.put(engine, TrialResult.medians(rounds)));
        Set<String> names = new LinkedHashSet<>();
        medians.values().forEach(each -> names.addAll(each.keySet()));
        List<String> heading = new ArrayList<>();
        results.forEach((engine, rounds) ->
                heading.add(engine.id() + (rounds.size() > 1 ? ", median of " + rounds.size() : "")));
        out.println("| | " + String.join(" | ", heading) + " |");
        out.println("|---" + "|---".repeat(heading.size()) + "|");
        for (String name : names) {
            List<String> cells = new ArrayList<>();
            medians.values().forEach(each -> cells.add(each.containsKey(name) ? number(each.get(name)) : ""));
            out.println("| " + name + " | " + String.join(" | ", cells) + " |");
        }
        out.println();
        out.flush();
    }

    private static String number(double value) {
        boolean isWhole = Math.abs(value) >= SMALL || value == Math.rint(value);
        return String.format(Locale.ROOT, isWhole ? "%,.0f" : "%.2f", value);
    }

    /** The JSON file. */
    private record Comparison(
            String program,
            List<String> command,
            String startedAt,
            Map<String, String> environment,
            Map<String, String> parameters,
            Map<String, Map<String, Double>> medians,
            Map<String, List<Map<String, Double>>> rounds) {}

    void writeJson(Map<EngineKind, List<TrialResult>> results, Path file) throws IOException {
        Map<String, Map<String, Double>> medians = new LinkedHashMap<>();
        Map<String, List<Map<String, Double>>> rounds = new LinkedHashMap<>();
        results.forEach((engine, each) -> {
            medians.put(engine.id(), TrialResult.medians(each));
            rounds.put(engine.id(), each.stream().map(TrialResult::figures).toList());
        });
        Comparison comparison = new Comparison(
                KafkaProgram.NAME, command, startedAt.toString(), environment, parameters, medians, rounds);
        try (OutputStream stream = ResultFile.create(file)) {
            stream.write((new GsonBuilder()
                                    .setPrettyPrinting()
                                    .disableHtmlEscaping()
                                    .create()
                                    .toJson(comparison)
                            + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    /** As {@link RunOutput#take} for rounds of {@code engines}. */
    static RunOutput take(List<EngineKind> engines, int rounds, @Nullable Path output) throws IOException {
        if (output == null) {
            return RunOutput.none();
        }
        List<Path> directories = new ArrayList<>();
        for (EngineKind engine : engines) {
            for (int round = 1; round <= rounds; round++) {
                directories.add(output.resolve(name(engine, round)));
            }
        }
        return RunOutput.take(KafkaProgram.NAME, output, directories);
    }

    /** Takes the records of all earlier rounds of {@code engines} away: of one that now fails none may remain. */
    static void forgetRuns(List<EngineKind> engines, Path output) throws IOException {
        for (EngineKind engine : engines) {
            RunFiles.forgetRuns(output, Pattern.compile(Pattern.quote(engine.id()) + "-\\d+"), KafkaProgram.NAME);
        }
    }

    private static String name(EngineKind engine, int round) {
        return engine.id() + "-" + round;
    }

    /** Leaves a run for {@code bin/persist report}. */
    void writeRun(TrialResult result, Path output) throws IOException {
        String name = name(result.engine(), result.round());
        Map<String, Histogram> latencies = new LinkedHashMap<>();
        result.result().histograms().forEach((call, histogram) -> latencies.put(call.id(), histogram));
        List<RunResult.Level> levels = result.disk().stream()
                .map(sample -> new RunResult.Level(sample.atNs(), Map.of("file GB", sample.bytes() / 1e9)))
                .toList();
        Map<String, String> asked = new LinkedHashMap<>(parameters);
        asked.put("engine", result.engine().id());
        new RunFiles(KafkaProgram.NAME, command, environment)
                .write(
                        output.resolve(name),
                        new RunFiles.Measured(
                                "kafka " + name + " " + parameters.get("size"),
                                startedAt,
                                asked,
                                result.result().commands(),
                                result.result().elapsedNs(),
                                result.figures(),
                                List.of(),
                                levels),
                        latencies);
    }
}
