package io.persist.bench.rows;

import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.command.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Each size of batches as a run, for the report. */
final class RowRuns {

    private static final String PROGRAM = "rows";

    private final RowsFlags flags;
    private final RunFiles files;
    private final Path place;
    private final Set<String> begun = new HashSet<>();

    /** @param place the directory of the rows, which tells disks apart */
    RowRuns(RowsFlags flags, Path place, List<String> command, Map<String, String> environment) {
        this.flags = flags;
        this.place = place;
        this.files = new RunFiles(PROGRAM, command, environment);
    }

    /** As {@link RunOutput#take} for runs of {@code flags}. */
    static RunOutput take(RowsFlags flags) throws IOException {
        Path output = flags.output;
        if (output == null) {
            return RunOutput.none();
        }
        List<Path> directories = new ArrayList<>();
        for (String engine : flags.engines()) {
            for (long size : flags.sizes()) {
                directories.add(directory(output, engine, size));
            }
        }
        return RunOutput.take(PROGRAM, output, directories);
    }

    private static Path directory(Path output, String engine, long batchSize) {
        return output.resolve(String.format(Locale.ROOT, "%s-%07d", engine, batchSize));
    }

    /**
     * Writes one. The first one of an engine replaces all of it that an earlier call has left there.
     *
     * @param model null if there is no sweep
     */
    void write(Path output, RowRun.Result result, @Nullable BatchModel model) throws IOException {
        String engine = result.engine().name();
        if (begun.add(engine)) {
            RunFiles.forgetRuns(output, Pattern.compile(Pattern.quote(engine) + "-\\d{7,}"), PROGRAM);
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("engine", engine);
        parameters.put("batchSize", Long.toString(result.batchSize()));
        parameters.put("rowSize", Long.toString(flags.rowSize));
        parameters.put("journalMode", Text.camelCase(flags.journalMode));
        parameters.put("synchronous", Text.camelCase(flags.synchronous));
        parameters.put("directory", place.toString());
        parameters.put("durability", result.promise().words());
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("rows/s", result.perSecond());
        figures.put("file bytes", (double) result.fileBytes());
        if (model != null) {
            figures.put("model rows/s", model.perSecond(result.batchSize()));
            figures.put("model sync µs", model.syncNs() / 1e3);
            figures.put("model row µs", model.rowNs() / 1e3);
        }
        files.write(
                directory(output, engine, result.batchSize()),
                new RunFiles.Measured(
                        engine + " in batches of " + result.batchSize(),
                        result.startedAt(),
                        parameters,
                        result.rows(),
                        result.elapsedNs(),
                        figures,
                        List.of(),
                        List.of()),
                Map.of("batch", result.commits()));
    }
}
