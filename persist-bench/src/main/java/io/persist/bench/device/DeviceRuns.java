package io.persist.bench.device;

import io.persist.bench.device.engine.Operation;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Each cell as a run, for the report. */
final class DeviceRuns {

    private static final String PROGRAM = "device";
    private static final Pattern NAMES = Pattern.compile("\\d{3,}-[A-Za-z0-9_-]+");

    private final DeviceFlags flags;
    private final RunFiles files;

    DeviceRuns(DeviceFlags flags, List<String> command, Map<String, String> environment) {
        this.flags = flags;
        this.files = new RunFiles(PROGRAM, command, environment);
    }

    /** As {@link RunOutput#take} for runs of these cells. */
    static RunOutput take(@Nullable Path output, List<Cell> cells) throws IOException {
        if (output == null) {
            return RunOutput.none();
        }
        List<Path> directories = new ArrayList<>();
        for (Cell cell : cells) {
            directories.add(directory(output, cell, directories.size() + 1));
        }
        return RunOutput.take(PROGRAM, output, directories);
    }

    private static Path directory(Path output, Cell cell, int number) {
        return output.resolve(
                String.format(Locale.ROOT, "%03d-%s", number, cell.label()).replaceAll("[^A-Za-z0-9_-]+", "-"));
    }

    /**
     * Writes one; an empty one too, with the reason. The first one replaces all that an earlier call has left there.
     *
     * @param number of the cell, from 1 on
     */
    void write(Path output, CellResult result, int number) throws IOException {
        if (number == 1) {
            RunFiles.forgetRuns(output, NAMES, PROGRAM);
        }
        boolean isRead = result.cell().operation() == Operation.READ;
        files.write(
                directory(output, result.cell(), number),
                new RunFiles.Measured(
                        result.cell().label() + (result.cached() ? " (cached)" : ""),
                        result.startedAt(),
                        parameters(result),
                        result.operations(),
                        result.elapsedNs(),
                        figures(result),
                        List.of(),
                        List.of()),
                result.isEmpty() ? Map.of() : Map.of(isRead ? "read" : "write", result.latencies()));
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
        figures.put("ops/s", result.perSecond());
        figures.put("MB/s", result.megabytesPerSecond(flags.block()));
        figures.put("CPU µs/op", result.cpuSecondsPerOperation() * 1e6);
        OptionalLong source = SourceFigures.of(result.cell(), flags.block());
        if (source.isPresent()) {
            figures.put("source ops/s", (double) source.getAsLong());
        }
        if (result.fioPerSecond() != null) {
            figures.put("fio ops/s", result.fioPerSecond());
        }
        Double ratio = result.ratioToFio();
        if (ratio != null) {
            figures.put("ratio to fio", ratio);
        }
        return figures;
    }
}
