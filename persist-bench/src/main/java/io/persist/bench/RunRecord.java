package io.persist.bench;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.latency.LatencySeries;
import io.persist.bench.load.WriteLoop;
import io.persist.bench.measure.Measurement;
import io.persist.bench.measure.RunIntervals;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.log.LogConfig;
import io.persist.monitor.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code run.json}, beside the latency files: what the run was, and what came of it. */
final class RunRecord {

    private final BenchmarkRun.Console console;
    private final LoggerParameters parameters;
    private final LogConfig config;
    private final Conditions conditions;
    private @Nullable IOException failure;

    RunRecord(BenchmarkRun.Console console, LoggerParameters parameters, LogConfig config, Conditions conditions) {
        this.console = console;
        this.parameters = parameters;
        this.config = config;
        this.conditions = conditions;
    }

    /** Takes the record of an earlier run away, and its latencies. */
    void begin() throws IOException {
        new RunDirectory(directory()).forget();
    }

    /** Writes what was measured, which may be less than was asked for. */
    void write(Instant startedAt, Measurement.Measured measured, List<LatencySeries> series, RunIntervals intervals)
            throws IOException {
        boolean detached = parameters.detached().isDetached();
        WriteLoop.Written written = measured.written();
        long elapsedNs = Math.max(0, (detached ? measured.durableNs() : written.endNs()) - written.startNs());
        Map<String, String> asked = new LinkedHashMap<>();
        conditions.parameters.forEach((name, value) -> asked.put(name, String.valueOf(value)));
        new RunDirectory(directory())
                .save(new RunResult(
                        RunResult.FORMAT,
                        console.program() + " " + config.writeMode() + " " + config.durability()
                                + (detached ? " detached" : ""),
                        console.program(),
                        console.command(),
                        startedAt.truncatedTo(ChronoUnit.MILLIS).toString(),
                        conditions.machine.environment(),
                        asked,
                        written.count(),
                        elapsedNs,
                        figures(measured, elapsedNs),
                        series.stream()
                                .map(each -> new RunResult.Series(each.name(), LatencySeries.histogramLog(each.name())))
                                .toList(),
                        intervals.list()));
    }

    /** Keeps why there is no record, or no whole latency file, so that the run can go on to its end before it fails. */
    void failed(IOException why) {
        failure = why;
    }

    /** @throws IOException what has {@link #failed} */
    void check() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Adds a figure to what was written, if it was, which is known only now. */
    void add(String name, double value) throws IOException {
        if (failure != null) {
            return;
        }
        RunDirectory run = new RunDirectory(directory());
        RunResult result = run.load();
        Map<String, Double> figures = new LinkedHashMap<>(result.figures());
        put(figures, name, value);
        run.save(result.withFigures(figures));
    }

    private Path directory() {
        return parameters.output();
    }

    private static Map<String, Double> figures(Measurement.Measured measured, long elapsedNs) {
        Map<String, Double> figures = new LinkedHashMap<>();
        if (elapsedNs > 0) {
            put(figures, "payload MB/s", measured.recordBytes() * 1e3 / elapsedNs);
        }
        put(figures, "rolls", measured.counted(Counter.ROLLS));
        long syncs = measured.counted(Counter.SYNCS);
        put(figures, "syncs", syncs);
        if (syncs > 0) {
            put(figures, "average sync µs", measured.counted(Counter.SYNC_NS) / 1e3 / syncs);
        }
        put(figures, "stalls", measured.counted(Counter.STALLS));
        put(figures, "stalled ms", measured.counted(Counter.STALL_NS) / 1e6);
        put(figures, "longest stall ms", measured.after().stallMaxNs() / 1e6);
        long batches = measured.counted(Counter.BATCHES);
        if (batches > 0) {
            put(figures, "records per batch", (double) measured.counted(Counter.BATCH_ENTRIES) / batches);
        }
        if (measured.result().refusals() > 0) {
            put(figures, "refusals", measured.result().refusals());
        }
        return figures;
    }

    /** Three decimals are enough. */
    private static void put(Map<String, Double> figures, String name, double value) {
        figures.put(name, Math.round(value * 1000) / 1000.0);
    }

    /**
     * What the figures depend on.
     *
     * @param parameters of {@link LoggerParameters#describe}
     * @param machine where it runs
     */
    record Conditions(Map<String, Object> parameters, Machine machine) {}
}
