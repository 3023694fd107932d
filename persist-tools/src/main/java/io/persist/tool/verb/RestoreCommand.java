package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import io.persist.backup.PackedPath;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.copy.RestoreTool;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code restore BACKUP --to DIR}: makes a log or store of a backup. */
public final class RestoreCommand extends ToolArguments {

    @Parameter(names = "--to", placeholder = "DIR", description = "the directory of the new log, empty or to be made")
    private @Nullable Path to;

    /** At its defaults. */
    public RestoreCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "restore",
                        "BACKUP",
                        "Makes a log or store of a backup, which it compares with its manifest first.")
                .example("get a log back", "/backup/logs --to ./restored")
                .exits("the backup is damaged, or it could not be done; nothing was written");
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
        return new RestoreTool(super.directories().get(0), target());
    }

    private Path target() {
        return target(to, "the directory of the new log");
    }
}
