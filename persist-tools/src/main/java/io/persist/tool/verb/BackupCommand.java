package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.backup.BackupOptions;
import io.persist.backup.BackupOptions.Reading;
import io.persist.backup.PackedPath;
import io.persist.backup.kept.KeptBackups;
import io.persist.command.Checks;
import io.persist.command.Manual;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.copy.BackupTool;
import io.persist.tool.verb.flags.ProgressLine;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code backup LOG --to DIR}: a copy of a log or store that may be written meanwhile, from which it can go on. */
public final class BackupCommand extends ToolArguments {

    @Parameter(
            names = "--to",
            placeholder = "PATH",
            description = "a directory: a new backup, or one that is brought up to date; or FILE.zip: a new backup")
    private @Nullable Path to;

    @Parameter(names = "--verify", description = "compare a backup, in place of LOG, with its manifest")
    private boolean verify;

    @Parameter(
            names = "--keep",
            placeholder = "N",
            description = "keep the backup as it is after each of the last N runs, in kept/TIME of its directory")
    private @Nullable Integer keep;

    @Parameter(
            names = "--readAll",
            description = "read all that the backup has already, too, and copy again what has gone bad there")
    private boolean readAll;

    @Parameter(
            names = "--bytesPerSecond",
            placeholder = "BYTES",
            description = "the most that is read and written in a second, 1MB or more; without it there is no bound")
    private @Nullable Long bytesPerSecond;

    @Parameter(names = "--json", description = "print one line of JSON")
    private boolean json;

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    /** At its defaults. */
    public BackupCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "backup",
                        "LOG",
                        "Copies a log or store that may be written meanwhile, up to a position that it prints.")
                .example("make a backup, or bring it up to date", "./logs --to /backup/logs")
                .example("have it as it was after each of the last 24 runs", "./logs --to /backup/logs --keep 24")
                .example("check it", "--verify /backup/logs")
                .example("bring it up to date, and mend it", "./logs --to /backup/logs --readAll")
                .exits("the log is damaged, or it could not be done; a backup that was there is as it was")
                .exit(ExitCode.NOTHING, "nothing was copied, the backup is up to date");
    }

    @Override
    protected List<Path> directories() {
        if (!verify) {
            target();
        }
        requireOneLog("backup");
        List<Path> paths = super.directories();
        return verify
                ? paths.stream().map(path -> new PackedPath(path).directory()).toList()
                : paths;
    }

    @Override
    protected LogTool tool(PrintStream err) {
        if (verify) {
            if (to != null) {
                throw new IllegalArgumentException("--verify writes nothing, so that --to makes no sense");
            }
            if (readAll) {
                throw new IllegalArgumentException("--verify reads all, so that --readAll makes no sense");
            }
            if (keep != null) {
                throw new IllegalArgumentException("--verify writes nothing, so that --keep makes no sense");
            }
            Path backup = super.directories().get(0);
            BackupOptions options = options();
            return ProgressLine.shown(
                    err, "compared", progress -> BackupTool.verifying(backup, options.telling(progress), output()));
        }
        Path target = target();
        BackupOptions options = keeping(target, options());
        return ProgressLine.shown(
                err,
                "copied",
                progress -> BackupTool.taking(target, store.place(), options.telling(progress), output()));
    }

    private Output output() {
        return json ? Output.JSON : Output.TEXT;
    }

    private BackupOptions options() {
        BackupOptions options = BackupOptions.DEFAULT.with(readAll ? Reading.ALL : Reading.ENDS);
        if (bytesPerSecond == null) {
            return options;
        }
        Checks.range("--bytesPerSecond", bytesPerSecond, 1 << 20, Long.MAX_VALUE);
        return options.bytesPerSecond(bytesPerSecond);
    }

    private BackupOptions keeping(Path target, BackupOptions options) {
        if (keep == null) {
            return options;
        }
        Checks.range("--keep", keep, 1, KeptBackups.MAX_COUNT);
        PackedPath place = new PackedPath(target);
        if (place.isZip()) {
            throw new IllegalArgumentException("--keep is for a directory, and a zip file is made once, given=" + target
                    + "; name a directory, or a new FILE.zip for each run");
        }
        return options.keeping(new KeptBackups(place.directory(), keep));
    }

    private Path target() {
        return target(to, "the backup, a directory or FILE.zip");
    }
}
