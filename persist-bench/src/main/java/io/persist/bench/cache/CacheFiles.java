package io.persist.bench.cache;

import io.persist.bench.cache.CacheSeconds.Second;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run leaves for the report: its record, and a line for each second. */
final class CacheFiles {

    private final RunFiles files;
    private final Instant startedAt;

    CacheFiles(RunFiles files, Instant startedAt) {
        this.files = files;
        this.startedAt = startedAt;
    }

    /** Writes it to {@code directory}, where the latencies are already. */
    void write(Path directory, CacheResult result, Map<String, String> parameters) throws IOException {
        List<RunResult.Series> series = new ArrayList<>();
        result.latencies().forEach((name, histogram) -> {
            if (histogram.getTotalCount() > 0) {
                series.add(RunResult.Series.of(name));
            }
        });
        String checkpoint = parameters.getOrDefault("checkpoint", "");
        String round = parameters.getOrDefault("round", "");
        files.write(
                directory,
                new RunFiles.Measured(
                        "cache " + result.test().id() + " " + result.mode().id() + " " + result.engine()
                                + ", checkpoint " + checkpoint + (round.isEmpty() ? "" : ", round " + round),
                        startedAt,
                        parameters,
                        result.requests(),
                        result.elapsedNs(),
                        figures(result),
                        result.seconds().stream().map(CacheFiles::interval).toList(),
                        levels(result.seconds())),
                series);
        write(directory.resolve("seconds.csv"), seconds(result.seconds()));
    }

    private static RunResult.Interval interval(Second second) {
        return new RunResult.Interval(second.endNs(), second.sets() + second.gets(), Map.of("syncs", second.syncs()));
    }

    private static Map<String, Double> figures(CacheResult result) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("sets", (double) result.sets());
        figures.put("gets", (double) result.gets());
        CacheResult.Checkpoint checkpoint = result.checkpoint();
        if (checkpoint != null) {
            figures.put("checkpoint s", checkpoint.elapsedNs() / 1e9);
        }
        CacheResult.Reopened reopened = result.reopened();
        if (reopened != null) {
            figures.put("reopened ms", reopened.elapsedNs() / 1e6);
            figures.put("lost", (double) reopened.lost());
        }
        return figures;
    }

    private static List<RunResult.Level> levels(List<Second> seconds) {
        List<RunResult.Level> levels = new ArrayList<>();
        long beganNs = 0;
        for (Second second : seconds) {
            double length = (second.endNs() - beganNs) / 1e9;
            levels.add(new RunResult.Level(
                    second.endNs(),
                    Map.of(
                            "requests/s",
                            (second.sets() + second.gets()) / length,
                            "checkpoint MB/s",
                            second.checkpointBytes() / 1e6 / length,
                            "CPU %",
                            second.cpuPercent())));
            beganNs = second.endNs();
        }
        return levels;
    }

    private static List<String> seconds(List<Second> seconds) {
        List<String> lines = new ArrayList<>(List.of("end_ns,sets,gets,syncs,checkpoint_bytes,cpu_percent"));
        seconds.forEach(each -> lines.add(each.endNs() + "," + each.sets() + "," + each.gets() + "," + each.syncs()
                + "," + each.checkpointBytes() + "," + Math.round(each.cpuPercent())));
        return lines;
    }

    /** Lines of text, in place of a file that is there. */
    static void write(Path file, List<String> lines) throws IOException {
        try (OutputStream stream = ResultFile.create(file)) {
            stream.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
