package io.persist.shard.bench.place;

import io.persist.bench.Machine;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * What a run leaves for {@code bin/persist report}.
 *
 * @param program the command
 * @param command the command line
 * @param environment the machine
 * @param startedAt when it began
 */
public record RunFiles(String program, List<String> command, Map<String, String> environment, Instant startedAt) {

    /**
     * What was measured.
     *
     * @param name what a legend calls it; its directory has the same, less blanks
     * @param parameters what was asked for
     * @param count of operations
     * @param elapsedNs that they took together
     * @param figures further numbers, by name with the unit
     * @param latencies in ns, by the name of the series; each with its times, in ms since the run began
     * @param intervals how it went on; empty if nobody watched
     * @param levels what was so at some times; empty if nobody watched
     */
    public record Measured(
            String name,
            Map<String, String> parameters,
            long count,
            long elapsedNs,
            Map<String, Double> figures,
            Map<String, ? extends Iterable<Histogram>> latencies,
            List<RunResult.Interval> intervals,
            List<RunResult.Level> levels) {}

    /** Files of a run that begins now, on the device of {@code directory}. */
    public static RunFiles of(String program, List<String> command, Path directory) {
        return new RunFiles(
                program,
                command,
                Machine.of(directory).environment(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    /** Leaves it in a directory of its own below {@code output}. */
    public void write(Measured measured, Path output) throws IOException {
        Path directory = Files.createDirectories(
                output.resolve((program + " " + measured.name()).replaceAll("[^a-z0-9.-]+", "-")));
        List<RunResult.Series> series = new ArrayList<>();
        for (Map.Entry<String, ? extends Iterable<Histogram>> each :
                measured.latencies().entrySet()) {
            if (hasAny(each.getValue())) {
                String file = "latencies." + each.getKey().replace(' ', '-') + ".hlog";
                writeLog(directory.resolve(file), each.getValue());
                series.add(new RunResult.Series(each.getKey(), file));
            }
        }
        new RunDirectory(directory)
                .save(new RunResult(
                                RunResult.FORMAT,
                                program + " " + measured.name(),
                                program,
                                command,
                                startedAt.toString(),
                                environment,
                                measured.parameters(),
                                measured.count(),
                                measured.elapsedNs(),
                                measured.figures(),
                                series,
                                measured.intervals())
                        .withLevels(measured.levels()));
    }

    /** The same latencies, as those of a run that began at 0 and took so long. */
    public static List<Histogram> during(Histogram histogram, long elapsedNs) {
        Histogram copy = histogram.copy();
        copy.setStartTimeStamp(0);
        copy.setEndTimeStamp(Math.max(1, TimeUnit.NANOSECONDS.toMillis(elapsedNs)));
        return List.of(copy);
    }

    private static boolean hasAny(Iterable<Histogram> histograms) {
        for (Histogram histogram : histograms) {
            if (histogram.getTotalCount() > 0) {
                return true;
            }
        }
        return false;
    }

    private void writeLog(Path file, Iterable<Histogram> histograms) throws IOException {
        long startMs = startedAt.toEpochMilli();
        try (PrintStream stream = new PrintStream(ResultFile.create(file), false, StandardCharsets.US_ASCII)) {
            HistogramLogWriter log = new HistogramLogWriter(stream);
            log.outputLogFormatVersion();
            log.outputStartTime(startMs);
            log.setBaseTime(startMs);
            log.outputLegend();
            for (Histogram histogram : histograms) {
                Histogram shifted = histogram.copy();
                shifted.setStartTimeStamp(startMs + histogram.getStartTimeStamp());
                shifted.setEndTimeStamp(startMs + histogram.getEndTimeStamp());
                log.outputIntervalHistogram(shifted);
            }
        }
    }
}
