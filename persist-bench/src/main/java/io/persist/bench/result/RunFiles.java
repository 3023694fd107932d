package io.persist.bench.result;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.persist.command.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * What the runs of a program leave for {@code bin/persist report}, a directory each. Nothing else makes, replaces or
 * deletes a {@code run.json}.
 *
 * @param program its command: "message", "compare-peers"
 * @param command the command line, one element per argument
 * @param environment the machine, the JVM, the file system and the device
 */
public record RunFiles(String program, List<String> command, Map<String, String> environment) {

    /** As a glob: what the programs call the latencies of a series, and of a run that has only one. */
    private static final String LATENCIES = "latencies.{hlog,*.hlog,*.bin}";

    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    /**
     * What a run has measured.
     *
     * @param name what a legend calls it: "message MAPPED SYNCED"
     * @param startedAt when measuring began
     * @param parameters what was asked for
     * @param count of operations
     * @param elapsedNs that they took together
     * @param figures further numbers, by name with the unit; three decimals of them are kept
     * @param intervals how it went on; empty if nobody watched
     * @param levels what was so at some times; empty if nobody watched
     */
    public record Measured(
            String name,
            Instant startedAt,
            Map<String, String> parameters,
            long count,
            long elapsedNs,
            Map<String, Double> figures,
            List<RunResult.Interval> intervals,
            List<RunResult.Level> levels) {}

    /**
     * Deletes what earlier runs of a program have left below {@code output}: the record and the latencies of each, and
     * its directory unless there is something else in it.
     *
     * @param output it was taken
     * @param names of the directories that the program makes
     * @param program of the runs; those of others stay, and so does what cannot be read
     */
    public static void forgetRuns(Path output, Pattern names, String program) throws IOException {
        requireHeld(output);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(output)) {
            for (Path path : all) {
                if (names.matcher(path.getFileName().toString()).matches()
                        && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                        && new RunDirectory(path).isOf(program)) {
                    forget(path);
                    deleteIfEmpty(path);
                }
            }
        }
    }

    /**
     * Takes the record of an earlier run away, and the files of its latencies: the next run may have other series, or
     * fail before it has any, and the report would show these beside its own. Nothing else is touched, and no link.
     */
    static void forget(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(RunDirectory.FILE));
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, LATENCIES)) {
            for (Path file : files) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static void deleteIfEmpty(Path directory) throws IOException {
        try {
            Files.delete(directory);
        } catch (DirectoryNotEmptyException e) {
            // Somebody has put something beside the run.
        }
    }

    /**
     * Begins a run that will leave its files in {@code directory}, which is made: it takes away what an earlier one has
     * left.
     *
     * @throws IOException also if the {@link RunOutput} is not this process's, or what it refuses has come since
     */
    public static void begin(String program, Path directory) throws IOException {
        requireHeld(directory);
        try {
            RunOutput.refuseStrangers(program, directory);
        } catch (UsageException e) {
            throw new IOException(e.getMessage(), e);
        }
        Files.createDirectories(directory);
        forget(directory);
    }

    /** Takes away what there is of a run that was begun, unless another one has taken its place. */
    public static void abandon(Path directory) throws IOException {
        if (RunLock.isHeldHere(directory)) {
            forget(directory);
        }
    }

    private static void requireHeld(Path directory) throws IOException {
        if (!RunLock.isHeldHere(directory)) {
            throw replaced(directory);
        }
    }

    /**
     * Leaves a run in {@code directory}, which is made, in place of an earlier one.
     *
     * @param latencies in ns, by the name of the series; one without values has no file
     */
    public void write(Path directory, Measured measured, Map<String, Histogram> latencies) throws IOException {
        begin(program, directory);
        List<RunResult.Series> series = new ArrayList<>();
        for (Map.Entry<String, Histogram> each : latencies.entrySet()) {
            if (each.getValue().getTotalCount() > 0) {
                RunResult.Series one = RunResult.Series.of(each.getKey());
                HistogramLog.write(
                        directory.resolve(one.file()), each.getValue(), measured.startedAt(), measured.elapsedNs());
                series.add(one);
            }
        }
        write(directory, measured, series);
    }

    /**
     * Writes the record of a run that was begun, beside the histogram logs of {@code series}, which are in
     * {@code directory} already.
     *
     * @throws IOException also if the directory is another run's by now, and so are these logs
     */
    public void write(Path directory, Measured measured, List<RunResult.Series> series) throws IOException {
        requireHeld(directory);
        if (new RunDirectory(directory).hasResult()) {
            throw replaced(directory);
        }
        save(
                directory,
                new RunResult(
                        RunResult.FORMAT,
                        measured.name(),
                        program,
                        command,
                        told(measured.startedAt()),
                        environment,
                        measured.parameters(),
                        measured.count(),
                        measured.elapsedNs(),
                        rounded(measured.figures()),
                        series,
                        measured.intervals(),
                        measured.levels()));
    }

    private static String told(Instant startedAt) {
        return startedAt.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static IOException replaced(Path directory) {
        return new IOException(directory + " was deleted, moved or taken by another run meanwhile, and the files there"
                + " are not of this one, of which there is only what it prints; give each an --output of its own, and"
                + " leave that where it is");
    }

    private static Map<String, Double> rounded(Map<String, Double> figures) {
        Map<String, Double> rounded = new LinkedHashMap<>();
        figures.forEach((name, value) -> rounded.put(name, Math.round(value * 1000) / 1000.0));
        return rounded;
    }

    /**
     * Adds to the record of the run that was {@code startedAt} then a figure that was not known yet.
     *
     * @throws IOException also if another run has replaced the record
     */
    public void addFigure(Path directory, Instant startedAt, String name, double value) throws IOException {
        requireHeld(directory);
        if (!new RunDirectory(directory).hasResult()) {
            throw replaced(directory);
        }
        RunResult result = new RunDirectory(directory).load();
        if (!program.equals(result.program())
                || !command.equals(result.command())
                || !told(startedAt).equals(result.startedAt())) {
            throw replaced(directory);
        }
        Map<String, Double> figures = new LinkedHashMap<>(result.figures());
        figures.put(name, value);
        save(directory, result.withFigures(rounded(figures)));
    }

    /** Writes {@code run.json} whole or not at all, in place of one that is there. */
    private static void save(Path directory, RunResult result) throws IOException {
        Path unfinished = directory.resolve(RunDirectory.FILE + ".tmp");
        try (OutputStream file = ResultFile.create(unfinished)) {
            file.write((GSON.toJson(result) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        Files.move(
                unfinished,
                directory.resolve(RunDirectory.FILE),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }
}
