package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Checks;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.Pause;
import io.persist.tool.stats.ArcusStatsTool;
import io.persist.tool.stats.PrometheusStatsTool;
import io.persist.tool.stats.StatsTool;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code stats LOG}: the numbers of a log, from outside of its writer. */
public final class StatsCommand extends ToolArguments {

    /** In which form. */
    private enum Format {
        TEXT,
        JSON,
        PROMETHEUS,
        ARCUS
    }

    private static final double DEFAULT_INTERVAL_S = 1;
    private static final double MIN_INTERVAL_S = 0.01;
    private static final double MAX_INTERVAL_S = 86_400;

    @Parameter(
            names = {"-w", "--watch"},
            description = "one line with rates per interval, until Ctrl-C")
    private boolean watch;

    @Parameter(
            names = "--interval",
            placeholder = "SECONDS",
            defaultValueDescription = "1",
            description = "seconds from one line of --watch to the next")
    private @Nullable Double interval;

    @Parameter(
            names = "--format",
            placeholder = "FORMAT",
            description = "text; json for one line of JSON per log; prometheus for its text format;"
                    + " arcus for a store's numbers as ARCUS names them")
    private Format format = Format.TEXT;

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    /** At its defaults. */
    public StatsCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "stats",
                        "LOG...",
                        "Prints the numbers of logs: the writer, the records and their positions, the lengths of",
                        "the files, the room on the disk, the cursors, and what the writer has counted.")
                .example("one line each five seconds", "./logs --watch --interval 5")
                .example("many logs, for the textfile collector of node_exporter", "/data/*/log --format prometheus")
                .example("a store that another process has open, as ARCUS names it", "./store --format arcus")
                .exits("a log is damaged at its end, or cannot be read");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        double seconds = interval == null ? DEFAULT_INTERVAL_S : interval;
        Checks.range("--interval", seconds, MIN_INTERVAL_S, MAX_INTERVAL_S);
        if (interval != null && !watch) {
            throw new IllegalArgumentException("--interval is for --watch; add that, or leave it out");
        }
        if (watch && (format == Format.ARCUS || format == Format.PROMETHEUS)) {
            throw new IllegalArgumentException(
                    "--watch has no --format " + format.name().toLowerCase(Locale.ROOT) + "; use text or json");
        }
        if (format == Format.ARCUS) {
            return arcus();
        }
        if (store.isGiven()) {
            throw new IllegalArgumentException("--checkpoints is for --format arcus, which alone says where they are");
        }
        if (format == Format.PROMETHEUS) {
            return new PrometheusStatsTool(System::currentTimeMillis);
        }
        Output output = format == Format.JSON ? Output.JSON : Output.TEXT;
        if (!watch) {
            return StatsTool.once(output);
        }
        requireOneLog("--watch");
        return StatsTool.watching(output, Pause.of(Duration.ofMillis(Math.round(seconds * 1000))));
    }

    private LogTool arcus() {
        if (store.isGiven()) {
            requireOneLog("--checkpoints");
        }
        return new ArcusStatsTool(store.place());
    }
}
