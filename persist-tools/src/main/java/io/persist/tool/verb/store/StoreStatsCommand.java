package io.persist.tool.verb.store;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.store.StoreStatsTool;
import io.persist.tool.store.StoreStatsTool.Form;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;

/** {@code store stats STORE...}: the numbers of stores. */
final class StoreStatsCommand extends ToolArguments {

    @Parameter(
            names = "--format",
            placeholder = "FORMAT",
            description = "text; json for one line of JSON per store; arcus for the names and the form of ARCUS")
    private Form format = Form.TEXT;

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    /** At its defaults. */
    public StoreStatsCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "store stats",
                        "STORE...",
                        "Prints the numbers of stores: keys, live bytes, checkpoints, what opening would take.")
                .example("for a script", "./store --format json")
                .exits("a store cannot be read");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        if (store.isGiven()) {
            requireOneLog("--checkpoints");
        }
        return new StoreStatsTool(format, store.place());
    }
}
