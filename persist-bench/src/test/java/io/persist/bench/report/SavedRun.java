package io.persist.bench.report;

import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.bench.result.RunResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Runs that no benchmark has made. */
final class SavedRun {

    static final long START_MS = 1_790_000_000_000L;

    private SavedRun() {}

    /** A run of one series, "write", of intervals of 100 ms with as many values of i µs in the i-th one. */
    static Path save(Path directory, String name, int intervals, long valuesEach) throws IOException {
        Files.createDirectories(directory);
        saveLog(directory.resolve("latencies.write.hlog"), intervals, valuesEach);
        saveRecord(directory, name, intervals, valuesEach, List.of());
        return directory;
    }

    /** The record of such a run alone. */
    static void saveRecord(Path directory, String name, int intervals, long valuesEach, List<RunResult.Level> levels)
            throws IOException {
        RunFiles files =
                new RunFiles("message", List.of("bin/persist", "message", "-k", "my logs"), Map.of("JVM", "one"));
        Path begun = Files.createTempDirectory(directory, "begun-"); // where it takes no log away
        RunFiles.Measured measured = new RunFiles.Measured(
                name,
                Instant.parse("2026-11-21T12:00:00Z"),
                Map.of("count", "many"),
                intervals * valuesEach,
                intervals * 100_000_000L,
                Map.of("allocated B/op", 1.5),
                IntStream.range(0, intervals)
                        .mapToObj(i -> new RunResult.Interval(
                                (i + 1) * 100_000_000L, valuesEach, i % 10 == 0 ? Map.of("rolls", 1L) : Map.of()))
                        .toList(),
                levels);
        try (RunOutput output = RunOutput.take("message", begun, List.of(begun))) {
            output.clear();
            files.write(begun, measured, List.of(RunResult.Series.of("write")));
        }
        Files.move(
                begun.resolve(RunDirectory.FILE),
                directory.resolve(RunDirectory.FILE),
                StandardCopyOption.REPLACE_EXISTING);
        Files.delete(begun);
    }

    static void saveLog(Path file, int intervals, long valuesEach) throws IOException {
        try (PrintStream stream = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(stream);
            log.outputLogFormatVersion();
            log.outputBaseTime(START_MS);
            log.outputStartTime(START_MS);
            log.outputLegend();
            for (int i = 0; i < intervals; i++) {
                Histogram interval = new Histogram(1_000_000_000, 3);
                interval.recordValueWithCount((i + 1) * 1000L, valuesEach);
                log.outputIntervalHistogram(i / 10.0, (i + 1) / 10.0, interval);
            }
        }
    }
}
