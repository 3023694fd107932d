package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.tool.LogTool;
import io.persist.tool.StoreStatsTool;
import io.persist.tool.StoreStatsTool.Form;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** {@code store stats STORE...}: the numbers of stores. */
final class StoreStatsCommand extends ToolArguments {

    @Parameter(
            names = "--format",
            description = "text; json for one line of JSON per store; arcus for the names and the form of ARCUS")
    private String format = "text";

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    private StoreStatsCommand() {}

    static int run(String[] args, PrintStream out, PrintStream err) {
        return new StoreStatsCommand().run("store stats", args, out, err);
    }

    @Override
    String operands() {
        return "STORE...";
    }

    @Override
    LogTool tool(PrintStream err) {
        requireFormat(format, List.of("text", "json", "arcus"));
        if (store.isGiven()) {
            requireOneLog("--checkpoints");
        }
        return new StoreStatsTool(Form.valueOf(format.toUpperCase(Locale.ROOT)), store.place());
    }
}
