package io.persist.peers.state.growth;

import com.google.gson.GsonBuilder;
import io.persist.bench.host.SpaceWatch;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.bench.result.RunResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code bin/persist workflow} leaves in files. */
final class GrowthFiles {

    private static final String LATENCIES = "latencies.command.hlog";

    /** At first the files that an engine makes at once are many times what it holds: that is not shown. */
    private static final double SHOWN_FROM = 0.05;

    private final GrowthReport report;
    private final WorkflowFlags flags;

    GrowthFiles(GrowthReport report, WorkflowFlags flags) {
        this.report = report;
        this.flags = flags;
    }

    /** Where the times of an engine's commands are kept until all engines are done. */
    static Path latencies(Path scratch, GrowthEngine engine) {
        return scratch.resolve(engine.id() + "-" + LATENCIES);
    }

    /** The JSON file. */
    private record Comparison(
            String program,
            List<String> command,
            String startedAt,
            Map<String, String> environment,
            Map<String, String> parameters,
            Map<String, GrowthResult> engines,
            Map<String, String> missing) {}

    /** As {@link RunOutput#take} for the runs of {@code flags}. */
    static RunOutput take(WorkflowFlags flags) throws IOException {
        Path output = flags.paths.output();
        return output == null
                ? RunOutput.none()
                : RunOutput.take(
                        WorkflowProgram.NAME,
                        output,
                        flags.engines().stream()
                                .map(engine -> output.resolve(engine.id()))
                                .toList());
    }

    void write(Map<GrowthEngine, GrowthResult> results, Map<GrowthEngine, String> missing, Path scratch)
            throws IOException {
        if (flags.paths.json() != null) {
            Map<String, GrowthResult> engines = new LinkedHashMap<>();
            results.forEach((engine, result) -> engines.put(engine.id(), result));
            Map<String, String> reasons = new LinkedHashMap<>();
            missing.forEach((engine, reason) -> reasons.put(engine.id(), reason));
            Comparison comparison = new Comparison(
                    WorkflowProgram.NAME,
                    report.command(),
                    report.startedAt().toString(),
                    report.environment(),
                    flags.parameters(),
                    engines,
                    reasons);
            write(
                    flags.paths.json(),
                    List.of(new GsonBuilder()
                            .setPrettyPrinting()
                            .disableHtmlEscaping()
                            .create()
                            .toJson(comparison)));
        }
        if (flags.paths.output() != null) {
            for (Map.Entry<GrowthEngine, GrowthResult> each : results.entrySet()) {
                writeRun(each.getKey(), each.getValue(), scratch);
            }
        }
    }

    private void writeRun(GrowthEngine engine, GrowthResult result, Path scratch) throws IOException {
        Path directory = flags.paths.output().resolve(engine.id());
        RunFiles.begin(WorkflowProgram.NAME, directory);
        Files.move(latencies(scratch, engine), directory.resolve(LATENCIES), StandardCopyOption.REPLACE_EXISTING);
        write(directory.resolve("rounds.csv"), rounds(result));
        write(directory.resolve("windows.csv"), windows(result));
        write(directory.resolve("seconds.csv"), seconds(result));
        Map<String, String> environment = new LinkedHashMap<>(report.environment());
        environment.put("Engine", result.library());
        Map<String, String> parameters = flags.parameters();
        parameters.put("engine", engine.id());
        new RunFiles(WorkflowProgram.NAME, report.command(), environment)
                .write(
                        directory,
                        new RunFiles.Measured(
                                engine.id() + " " + flags.rounds() + " x " + flags.workflow + " " + flags.durability(),
                                report.startedAt(),
                                parameters,
                                result.taskRuns(),
                                result.elapsedNs(),
                                figures(result),
                                result.seconds().stream()
                                        .map(GrowthFiles::interval)
                                        .toList(),
                                levels(result)),
                        List.of(new RunResult.Series("command", LATENCIES)));
    }

    private static RunResult.Interval interval(GrowthWatch.Second second) {
        return new RunResult.Interval(
                second.endNs(),
                second.taskRuns(),
                second.timerScans() == 0 ? Map.of() : Map.of("timer scans", second.timerScans()));
    }

    private static Map<String, Double> figures(GrowthResult result) {
        GrowthResult.End end = result.end();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("longest wait ms", result.longestMs());
        figures.put("longest timer scan ms", result.longestScanMs());
        figures.put("live GB", end.liveBytes() / 1e9);
        figures.put("files / live when idle", (double) end.idleFileBytes() / end.liveBytes());
        if (end.deviceBytes() >= 0) {
            figures.put("to the device / put", (double) end.deviceBytes() / end.putBytes());
        }
        figures.put("open ms", end.openMs());
        figures.put("read all s", end.verifyS());
        if (result.restored() != null) {
            figures.put("restored in s", result.restored().seconds());
        }
        return figures;
    }

    /** The space at each look, and the live data of the last second before it. */
    private static List<RunResult.Level> levels(GrowthResult result) {
        List<RunResult.Level> levels = new ArrayList<>();
        long shownFrom = (long) (SHOWN_FROM * result.end().liveBytes());
        List<GrowthWatch.Second> seconds = result.seconds();
        int next = 0;
        for (SpaceWatch.Sample sample : result.space()) {
            while (next < seconds.size() && seconds.get(next).endNs() <= sample.atNs()) {
                next++;
            }
            long liveBytes = next == 0 ? 0 : seconds.get(next - 1).liveBytes();
            Map<String, Double> values = new LinkedHashMap<>();
            if (liveBytes > 0 && liveBytes >= shownFrom) {
                values.put("files / live", (double) sample.bytes() / liveBytes);
            }
            values.put("file GB", sample.bytes() / 1e9);
            levels.add(new RunResult.Level(sample.atNs(), values));
        }
        return levels;
    }

    private static List<String> rounds(GrowthResult result) {
        List<String> lines = new ArrayList<>(List.of("round,task_runs,elapsed_ns,p50_us,p99_us,p999_us,longest_ms,"
                + "timers_deleted,timers_s,live_bytes,file_bytes"));
        result.rounds()
                .forEach(each -> lines.add(GrowthReport.row(
                        "%d,%d,%d,%.3f,%.3f,%.3f,%.3f,%d,%.3f,%d,%d",
                        each.number(),
                        each.taskRuns(),
                        each.elapsedNs(),
                        each.p50Us(),
                        each.p99Us(),
                        each.p999Us(),
                        each.longestMs(),
                        each.timersDeleted(),
                        each.timersS(),
                        each.liveBytes(),
                        each.fileBytes())));
        return lines;
    }

    private static List<String> windows(GrowthResult result) {
        List<String> lines = new ArrayList<>(List.of("windowStart,totalTaskStarts,totalTaskStartLatency,"
                + "maxTaskStartLatency,totalTaskCompletes,totalTaskCompleteLatency,maxTaskCompleteLatency"));
        result.windows()
                .forEach(each -> lines.add(GrowthReport.row(
                        "%d,%d,%.3f,%.3f,%d,%.3f,%.3f",
                        each.windowStart,
                        each.totalTaskStarts,
                        each.totalTaskStartLatency,
                        each.maxTaskStartLatency,
                        each.totalTaskCompletes,
                        each.totalTaskCompleteLatency,
                        each.maxTaskCompleteLatency)));
        return lines;
    }

    private static List<String> seconds(GrowthResult result) {
        List<String> lines = new ArrayList<>(List.of("end_ns,task_runs,longest_ns,timer_scans,live_bytes"));
        result.seconds()
                .forEach(each -> lines.add(GrowthReport.row(
                        "%d,%d,%d,%d,%d",
                        each.endNs(), each.taskRuns(), each.longestNs(), each.timerScans(), each.liveBytes())));
        return lines;
    }

    private static void write(Path file, List<String> lines) throws IOException {
        try (OutputStream stream = ResultFile.create(file)) {
            stream.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
