package io.persist.bench;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.latency.LatencySeries;
import io.persist.bench.load.WriteLoop;
import io.persist.bench.measure.Measurement;
import io.persist.bench.measure.RunIntervals;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunResult;
import io.persist.log.LogConfig;
import io.persist.monitor.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code run.json}, beside the latency files: what the run was, and what came of it. */
final class RunRecord {

    private final RunFiles files;
    private final LoggerParameters parameters;
    private final LogConfig config;
    private final Conditions conditions;
    private Instant startedAt = Instant.EPOCH;
    private @Nullable IOException failure;

    RunRecord(RunFiles files, LoggerParameters parameters, LogConfig config, Conditions conditions) {
        this.files = files;
        this.parameters = parameters;
        this.config = config;
        this.conditions = conditions;
    }

    /** Takes the record of an earlier run away, and its latencies. */
    void begin() throws IOException {
        RunFiles.begin(files.program(), directory());
    }

    /** Takes away what there is of this run. */
    void abandon() throws IOException {
        RunFiles.abandon(directory());
    }

    /** Writes what was measured, which may be less than was asked for. */
    void write(Instant startedAt, Measurement.Measured measured, List<LatencySeries> series, RunIntervals intervals)
            throws IOException {
        this.startedAt = startedAt;
        boolean detached = parameters.detached().isDetached();
        WriteLoop.Written written = measured.written();
        long elapsedNs = Math.max(0, (detached ? measured.durableNs() : written.endNs()) - written.startNs());
        Map<String, String> asked = new LinkedHashMap<>();
        conditions.parameters.forEach((name, value) -> asked.put(name, String.valueOf(value)));
        files.write(
                directory(),
                new RunFiles.Measured(
                        files.program() + " " + config.writeMode() + " " + config.durability()
                                + (detached ? " detached" : ""),
                        startedAt,
                        asked,
                        written.count(),
                        elapsedNs,
                        figures(measured, elapsedNs),
                        intervals.list(),
                        List.of()),
                series.stream().map(each -> RunResult.Series.of(each.name())).toList());
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
        if (failure == null) {
            files.addFigure(directory(), startedAt, name, value);
        }
    }

    private Path directory() {
        return parameters.output();
    }

    private static Map<String, Double> figures(Measurement.Measured measured, long elapsedNs) {
        Map<String, Double> figures = new LinkedHashMap<>();
        if (elapsedNs > 0) {
            figures.put("payload MB/s", measured.recordBytes() * 1e3 / elapsedNs);
        }
        figures.put("rolls", (double) measured.counted(Counter.ROLLS));
        long syncs = measured.counted(Counter.SYNCS);
        figures.put("syncs", (double) syncs);
        if (syncs > 0) {
            figures.put("average sync µs", measured.counted(Counter.SYNC_NS) / 1e3 / syncs);
        }
        figures.put("stalls", (double) measured.counted(Counter.STALLS));
        figures.put("stalled ms", measured.counted(Counter.STALL_NS) / 1e6);
        figures.put("longest stall ms", measured.after().stallMaxNs() / 1e6);
        long batches = measured.counted(Counter.BATCHES);
        if (batches > 0) {
            figures.put("records per batch", (double) measured.counted(Counter.BATCH_ENTRIES) / batches);
        }
        if (measured.result().refusals() > 0) {
            figures.put("refusals", (double) measured.result().refusals());
        }
        return figures;
    }

    /**
     * What the figures depend on.
     *
     * @param parameters of {@link LoggerParameters#describe}
     * @param machine where it runs
     */
    record Conditions(Map<String, Object> parameters, Machine machine) {}
}
