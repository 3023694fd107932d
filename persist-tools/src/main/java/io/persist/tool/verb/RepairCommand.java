package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.tool.Effect;
import io.persist.tool.LogTool;
import io.persist.tool.repair.RepairTool;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;

/** {@code repair LOG...}: damaged logs open again; what is cut is kept. */
public final class RepairCommand extends ToolArguments {

    @Parameter(names = "--dryRun", description = "only say what would be done; needs no lock")
    private boolean dryRun;

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    /** At its defaults. */
    public RepairCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "repair",
                        "LOG...",
                        "Makes damaged logs open again by cutting them before the damage. What is cut is kept",
                        "beside them in .aside files.")
                .example("see what would be done", "./logs --dryRun")
                .exits("a log cannot be repaired");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        if (store.isGiven()) {
            requireOneLog("--checkpoints");
        }
        return new RepairTool(dryRun ? Effect.DRY_RUN : Effect.APPLY, store.place());
    }
}
