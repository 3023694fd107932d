package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.verb.flags.ProgressLine;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;

/** {@code verify LOG...}: clean, live, torn or damaged. */
public final class VerifyCommand extends ToolArguments {

    @Parameter(names = "--json", description = "print one line of JSON per log")
    private boolean json;

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    /** At its defaults. */
    public VerifyCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "verify",
                        "LOG...",
                        "Reads every byte of logs and stores, compares the checksums, and says of each whether it",
                        "is clean, live, torn or damaged. It takes no lock and changes nothing.")
                .example("two logs, for a script", "./orders ./trades --json")
                .exits("a log is damaged, or cannot be read");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        if (store.isGiven()) {
            requireOneLog("--checkpoints");
        }
        Output output = json ? Output.JSON : Output.TEXT;
        return ProgressLine.shown(err, "checked", progress -> new VerifyTool(output, progress, store.place()));
    }
}
