package io.persist.shard.bench.place;

import io.persist.bench.Machine;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.bench.result.RunResult;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The runs of a program for {@code bin/persist report}, each in a directory of its own below {@code --output}.
 *
 * @param taken where they do
 * @param files what they leave
 * @param startedAt when the program began
 */
public record ShardRuns(RunOutput taken, RunFiles files, Instant startedAt) implements Closeable {

    /**
     * What was measured.
     *
     * @param name what a legend calls it; its directory has the same, less blanks
     * @param parameters what was asked for
     * @param count of operations
     * @param elapsedNs that they took together
     * @param figures further numbers, by name with the unit
     * @param intervals how it went on; empty if nobody watched
     * @param levels what was so at some times; empty if nobody watched
     */
    public record Measured(
            String name,
            Map<String, String> parameters,
            long count,
            long elapsedNs,
            Map<String, Double> figures,
            List<RunResult.Interval> intervals,
            List<RunResult.Level> levels) {}

    /**
     * Those of a program that begins now, as {@link RunOutput#take} has it.
     *
     * @param names of all runs that may be
     */
    public static ShardRuns begin(String program, List<String> command, PlaceFlags place, List<String> names)
            throws IOException {
        Path output = place.output();
        RunFiles files = new RunFiles(program, command, Machine.of(place.dir()).environment());
        return new ShardRuns(
                output == null
                        ? RunOutput.none()
                        : RunOutput.take(
                                program,
                                output,
                                names.stream()
                                        .map(name -> directory(program, name, output))
                                        .toList()),
                files,
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    /** Leaves it in a directory of its own below {@code output}. */
    public void write(Measured measured, Map<String, Histogram> latencies, Path output) throws IOException {
        try (LatencyLogs logs = logs(measured.name(), output)) {
            for (Map.Entry<String, Histogram> each : latencies.entrySet()) {
                logs.add(each.getKey(), each.getValue());
            }
            write(measured, logs, output);
        }
    }

    /**
     * Logs for latencies of a run called {@code name}, in its directory, which is made. The record of an earlier run is
     * taken away, as its latency files are about to be replaced.
     */
    public LatencyLogs logs(String name, Path output) throws IOException {
        Path directory = directory(files.program(), name, output);
        RunFiles.begin(files.program(), directory);
        return new LatencyLogs(directory, startedAt);
    }

    private static Path directory(String program, String name, Path output) {
        return output.resolve((program + " " + name).replaceAll("[^a-z0-9.-]+", "-"));
    }

    /** Leaves it beside {@code logs}, which are ended. */
    public void write(Measured measured, LatencyLogs logs, Path output) throws IOException {
        logs.close();
        files.write(
                directory(files.program(), measured.name(), output),
                new RunFiles.Measured(
                        files.program() + " " + measured.name(),
                        startedAt,
                        measured.parameters(),
                        measured.count(),
                        measured.elapsedNs(),
                        measured.figures(),
                        measured.intervals(),
                        measured.levels()),
                logs.series());
    }

    /** When all is written. */
    @Override
    public void close() throws IOException {
        taken.close();
    }

    /** The same latencies, as those of a run that began at 0 and took so long. */
    public static Histogram during(Histogram histogram, long elapsedNs) {
        Histogram copy = histogram.copy();
        copy.setStartTimeStamp(0);
        copy.setEndTimeStamp(Math.max(1, TimeUnit.NANOSECONDS.toMillis(elapsedNs)));
        return copy;
    }
}
