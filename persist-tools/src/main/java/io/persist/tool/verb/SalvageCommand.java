package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import io.persist.command.Manual;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.repair.SalvageTool;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** {@code salvage LOG --to NEW}: a new log of everything of a damaged one that verifies. */
public final class SalvageCommand extends ToolArguments {

    @Parameter(names = "--to", placeholder = "DIR", description = "the directory of the new log, empty or to be made")
    private @Nullable Path to;

    @Parameter(names = "--format", description = "text, or json for one line of JSON")
    private Output format = Output.TEXT;

    @Parameter(
            names = "--acceptOldValues",
            description = "of a store in which transactions are missing: older values and removed keys may be back")
    private boolean acceptOldValues;

    /** At its defaults. */
    public SalvageCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "salvage",
                        "LOG",
                        "Writes a new log of everything of a damaged one that verifies, and says what is missing.")
                .example("get out what is left", "./logs --to ./salvaged")
                .exits("nothing could be written")
                .exit(ExitCode.LOSSES, "written, but records are missing");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        Path target = target(to, "the directory of the new log");
        requireOneLog("salvage");
        return new SalvageTool(target, format, acceptOldValues ? OldValues.ACCEPT : OldValues.REFUSE);
    }
}
