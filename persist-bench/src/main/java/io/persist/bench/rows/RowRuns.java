package io.persist.bench.rows;

import io.persist.bench.result.HistogramLog;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.command.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
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
    private static final String LOG = "latencies.batch.hlog";

    private final RowsFlags flags;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path place;
    private final Set<String> begun = new HashSet<>();

    /** @param place the directory of the rows, which tells disks apart */
    RowRuns(RowsFlags flags, Path place, List<String> command, Map<String, String> environment) {
        this.flags = flags;
        this.place = place;
        this.command = command;
        this.environment = environment;
    }

    /**
     * Writes one. The first one of an engine replaces all of it that an earlier call has left there.
     *
     * @param model null if there is no sweep
     */
    void write(Path output, RowRun.Result result, @Nullable BatchModel model) throws IOException {
        String engine = result.engine().name();
        if (begun.add(engine)) {
            RunDirectory.forgetRuns(output, Pattern.compile(Pattern.quote(engine) + "-\\d{7,}"), PROGRAM);
        }
        String name = String.format(Locale.ROOT, "%s-%07d", engine, result.batchSize());
        Path directory = Files.createDirectories(output.resolve(name));
        HistogramLog.write(directory.resolve(LOG), result.commits(), result.startedAt(), result.elapsedNs());
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("engine", engine);
        parameters.put("batchSize", Long.toString(result.batchSize()));
        parameters.put("rowSize", Long.toString(flags.rowSize));
        parameters.put("journalMode", Text.camelCase(flags.journalMode));
        parameters.put("synchronous", Text.camelCase(flags.synchronous));
        parameters.put("directory", place.toString());
        parameters.put("durability", result.promise().words());
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("rows/s", rounded(result.perSecond()));
        figures.put("file bytes", (double) result.fileBytes());
        if (model != null) {
            figures.put("model rows/s", rounded(model.perSecond(result.batchSize())));
            figures.put("model sync µs", rounded(model.syncNs() / 1e3));
            figures.put("model row µs", rounded(model.rowNs() / 1e3));
        }
        new RunDirectory(directory)
                .save(new RunResult(
                        RunResult.FORMAT,
                        engine + " in batches of " + result.batchSize(),
                        PROGRAM,
                        command,
                        result.startedAt().truncatedTo(ChronoUnit.MILLIS).toString(),
                        environment,
                        parameters,
                        result.rows(),
                        result.elapsedNs(),
                        figures,
                        List.of(new RunResult.Series("batch", LOG)),
                        List.of()));
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
