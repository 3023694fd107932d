package io.persist.bench.device;

import io.persist.bench.device.engine.Operation;
import io.persist.bench.result.HistogramLog;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Each cell as a run, for the report. */
final class DeviceRuns {

    private static final String PROGRAM = "device";
    private static final String LOG = "latencies.operation.hlog";
    private static final Pattern NAMES = Pattern.compile("\\d{3,}-[A-Za-z0-9_-]+");

    private final DeviceFlags flags;
    private final List<String> command;
    private final Map<String, String> environment;

    DeviceRuns(DeviceFlags flags, List<String> command, Map<String, String> environment) {
        this.flags = flags;
        this.command = command;
        this.environment = environment;
    }

    /**
     * Writes one; an empty one too, with the reason. The first one replaces all that an earlier call has left there.
     *
     * @param number of the cell, from 1 on
     */
    void write(Path output, CellResult result, int number) throws IOException {
        if (number == 1) {
            RunDirectory.forgetRuns(output, NAMES, PROGRAM);
        }
        String name = String.format(
                        Locale.ROOT, "%03d-%s", number, result.cell().label())
                .replaceAll("[^A-Za-z0-9_-]+", "-");
        Path directory = Files.createDirectories(output.resolve(name));
        List<RunResult.Series> series = List.of();
        Files.deleteIfExists(directory.resolve(LOG));
        if (!result.isEmpty()) {
            HistogramLog.write(directory.resolve(LOG), result.latencies(), result.startedAt(), result.elapsedNs());
            series = List.of(new RunResult.Series(result.cell().operation() == Operation.READ ? "read" : "write", LOG));
        }
        new RunDirectory(directory)
                .save(new RunResult(
                        RunResult.FORMAT,
                        result.cell().label() + (result.cached() ? " (cached)" : ""),
                        PROGRAM,
                        command,
                        result.startedAt().truncatedTo(ChronoUnit.MILLIS).toString(),
                        environment,
                        parameters(result),
                        result.operations(),
                        result.elapsedNs(),
                        figures(result),
                        series,
                        List.of()));
    }

    private Map<String, String> parameters(CellResult result) {
        Map<String, String> parameters = new LinkedHashMap<>(result.cell().describe());
        parameters.put("action", result.cell().action());
        parameters.put("block", Integer.toString(flags.block()));
        parameters.put("files", Integer.toString(flags.files().size()));
        parameters.put("fileSize", Long.toString(flags.fileSize()));
        parameters.put("directory", directories());
        parameters.put("seed", Long.toString(flags.seed));
        if (result.isEmpty()) {
            parameters.put("missing", result.missing());
        }
        if (!result.note().isEmpty()) {
            parameters.put("note", result.note());
        }
        if (result.cached()) {
            parameters.put("cached", "true");
        }
        return parameters;
    }

    /** What tells disks apart, as far as their user does. */
    private String directories() {
        return flags.files().stream()
                .map(file -> String.valueOf(file.toAbsolutePath().normalize().getParent()))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private Map<String, Double> figures(CellResult result) {
        Map<String, Double> figures = new LinkedHashMap<>();
        if (result.isEmpty()) {
            return figures;
        }
        put(figures, "ops/s", result.perSecond());
        put(figures, "MB/s", result.megabytesPerSecond(flags.block()));
        put(figures, "CPU µs/op", result.cpuSecondsPerOperation() * 1e6);
        OptionalLong source = SourceFigures.of(result.cell(), flags.block());
        if (source.isPresent()) {
            put(figures, "source ops/s", source.getAsLong());
        }
        if (result.fioPerSecond() != null) {
            put(figures, "fio ops/s", result.fioPerSecond());
        }
        Double ratio = result.ratioToFio();
        if (ratio != null) {
            put(figures, "ratio to fio", ratio);
        }
        return figures;
    }

    private static void put(Map<String, Double> figures, String name, double value) {
        figures.put(name, Math.round(value * 1000) / 1000.0);
    }
}
