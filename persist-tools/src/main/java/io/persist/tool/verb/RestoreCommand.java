package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import io.persist.backup.BackupOptions;
import io.persist.backup.PackedPath;
import io.persist.backup.RestorePoint;
import io.persist.command.Checks;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.copy.RestoreTool;
import io.persist.tool.verb.flags.ProgressLine;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code restore BACKUP --to DIR}: makes a log or store of a backup, of a log also as it was before the backup. */
public final class RestoreCommand extends ToolArguments {

    @Parameter(names = "--to", placeholder = "DIR", description = "the directory of the new log, empty or to be made")
    private @Nullable Path to;

    @Parameter(
            names = "--toPosition",
            placeholder = "POSITION",
            description = "only records that begin before this position, where a commit begins; not of a store")
    private @Nullable Long toPosition;

    @Parameter(
            names = "--toSequence",
            placeholder = "N",
            description = "only records up to this number, the last one of a commit; not of a store")
    private @Nullable Long toSequence;

    @Parameter(names = "--ignoreCommits", description = "the log may also end within a commit, as after a crash")
    private boolean ignoreCommits;

    /** At its defaults. */
    public RestoreCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "restore",
                        "BACKUP",
                        "Makes a log or store of a backup, which it compares with its manifest first.")
                .example("get a log back", "/backup/logs --to ./restored")
                .example(
                        "get a log back as it was before record 1,234,567",
                        "/backup/logs --to ./restored --toSequence 1234566")
                .example(
                        "get a log back from one of those that are kept",
                        "/backup/logs/kept/2026-11-21T060000Z --to ./restored")
                .exits("the backup is damaged, or it could not be done; nothing is left there");
    }

    @Override
    protected String nothingGiven() {
        return "no BACKUP is given; name the directory or the zip file of a backup";
    }

    @Override
    protected List<Path> directories() {
        target();
        requireOneLog("restore");
        return super.directories().stream()
                .map(path -> new PackedPath(path).directory())
                .toList();
    }

    @Override
    protected LogTool tool(PrintStream err) {
        Path backup = super.directories().get(0);
        Path to = target();
        RestorePoint end = end();
        return ProgressLine.shown(
                err, "read", progress -> new RestoreTool(backup, to, end, BackupOptions.DEFAULT.telling(progress)));
    }

    private RestorePoint end() {
        if (toPosition != null && toSequence != null) {
            throw new IllegalArgumentException("give one of --toPosition, --toSequence");
        }
        Checks.range("--toPosition", orElse(toPosition, 0), 0, Long.MAX_VALUE);
        Checks.range("--toSequence", orElse(toSequence, 1), 1, Long.MAX_VALUE);
        RestorePoint whole = toPosition == null ? RestorePoint.END : RestorePoint.beforePosition(toPosition);
        RestorePoint end = toSequence == null ? whole : RestorePoint.afterSequence(toSequence);
        return ignoreCommits ? end.ignoringCommits() : end;
    }

    private Path target() {
        return target(to, "the directory of the new log");
    }
}
