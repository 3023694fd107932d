package io.persist.bench.report;

import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a run, with its latencies. */
final class RunReader {

    /** What a latency may be due to comes first, in this order. */
    private static final List<String> KNOWN_EVENTS = List.of("rolls", "syncs", "stalls");

    private final int maxSlices;

    /** @param maxSlices into how many a run or a series is cut, at about */
    RunReader(int maxSlices) {
        this.maxSlices = maxSlices;
    }

    /** @throws IOException if it cannot be read, or makes no sense; the message names the file and what to do */
    RunSummary read(Path path) throws IOException {
        RunDirectory directory = new RunDirectory(path);
        return directory.hasResult() ? read(path, load(directory)) : readLatencies(path);
    }

    private static RunResult load(RunDirectory directory) throws IOException {
        Path file = directory.path().resolve(RunDirectory.FILE);
        RunResult result;
        try {
            result = directory.load();
        } catch (IOException e) {
            String reason = FileReason.of(e);
            throw new IOException(
                    (reason.startsWith(file + " ") ? reason : "cannot read " + file + " (" + reason + ")")
                            + "; delete it to see the latencies alone, or run the benchmark again",
                    e);
        }
        List<String> lacking = ResultCheck.lacking(result);
        if (!lacking.isEmpty()) {
            throw new IOException(file + " lacks " + String.join(", ", lacking)
                    + "; delete it to see the latencies alone, or run the benchmark again");
        }
        return result;
    }

    private RunSummary read(Path path, RunResult result) throws IOException {
        List<SeriesSummary> series = new ArrayList<>();
        for (RunResult.Series each : result.series()) {
            Path file = path.resolve(each.file());
            if (!Files.isRegularFile(file)) {
                throw new IOException(file + " is missing, but " + path.resolve(RunDirectory.FILE)
                        + " has a series in it; put it back, or delete " + RunDirectory.FILE);
            }
            series.addAll(
                    new LatencyLogReader(file).read(each.name(), maxSlices).series());
        }
        List<String> eventNames = eventNames(result);
        return new RunSummary(
                result.name(),
                path.toString(),
                result.program(),
                Shell.line(result.command()),
                result.startedAt(),
                result.count(),
                result.elapsedNs(),
                result.perSecond(),
                result.environment(),
                result.parameters(),
                result.figures(),
                eventNames,
                slices(result, eventNames),
                series,
                levels(result));
    }

    /** By name, and so thinned out that a long run does not take more of the page than a short one. */
    private Map<String, List<List<Double>>> levels(RunResult result) {
        Map<String, List<List<Double>>> levels = new LinkedHashMap<>();
        List<RunResult.Level> all = result.levels() == null ? List.of() : result.levels();
        int step = Math.max(1, (all.size() + maxSlices - 1) / maxSlices);
        for (int i = (all.size() - 1) % step; i >= 0 && i < all.size(); i += step) {
            RunResult.Level level = all.get(i);
            level.values()
                    .forEach((name, value) -> levels.computeIfAbsent(name, any -> new ArrayList<>())
                            .add(List.of((double) level.atNs(), value)));
        }
        return levels;
    }

    private static List<String> eventNames(RunResult result) {
        Set<String> found = new LinkedHashSet<>();
        result.intervals().forEach(interval -> found.addAll(interval.events().keySet()));
        Set<String> ordered = new LinkedHashSet<>(KNOWN_EVENTS);
        ordered.retainAll(found);
        ordered.addAll(found);
        return List.copyOf(ordered);
    }

    private List<List<Long>> slices(RunResult result, List<String> eventNames) {
        List<RunResult.Interval> intervals = result.intervals();
        if (intervals.isEmpty()) {
            return List.of();
        }
        long lengthNs = intervals.get(intervals.size() - 1).endNs();
        Slices<long[]> slices = new Slices<>(lengthNs / maxSlices, RunReader::add, RunReader::boxed);
        long startNs = 0;
        for (RunResult.Interval interval : intervals) {
            long[] numbers = new long[1 + eventNames.size()];
            numbers[0] = interval.count();
            for (int i = 0; i < eventNames.size(); i++) {
                numbers[i + 1] = interval.events().getOrDefault(eventNames.get(i), 0L);
            }
            slices.add(startNs, interval.endNs(), numbers);
            startNs = interval.endNs();
        }
        return slices.rows();
    }

    private static void add(long[] sum, long[] other) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += other[i];
        }
    }

    private static List<Long> boxed(long[] numbers) {
        List<Long> boxed = new ArrayList<>();
        for (long number : numbers) {
            boxed.add(number);
        }
        return boxed;
    }

    /** A run of which nothing else is known. Of several series nobody knows which operations are in more than one. */
    private RunSummary readLatencies(Path path) throws IOException {
        List<SeriesSummary> series = new ArrayList<>();
        long lengthNs = 0;
        long startMs = Long.MAX_VALUE;
        for (Path file : RunFinder.histogramLogs(path)) {
            LatencyLogReader.Content content = new LatencyLogReader(file).read(seriesName(file), maxSlices);
            series.addAll(content.series());
            lengthNs = Math.max(lengthNs, content.lengthNs());
            startMs = Math.min(startMs, content.startMs());
        }
        long count = series.size() == 1 ? series.get(0).count() : 0;
        return new RunSummary(
                String.valueOf(path.toAbsolutePath().normalize().getFileName()),
                path.toString(),
                "",
                "",
                Instant.ofEpochMilli(startMs).toString(),
                count,
                lengthNs,
                lengthNs == 0 ? 0 : count * 1e9 / lengthNs,
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                series,
                Map.of());
    }

    /** "write" of latencies.write.hlog. */
    private static String seriesName(Path file) {
        String name = file.getFileName().toString();
        String bare = name.substring(0, name.lastIndexOf('.'));
        return bare.startsWith("latencies.") ? bare.substring("latencies.".length()) : bare;
    }
}
