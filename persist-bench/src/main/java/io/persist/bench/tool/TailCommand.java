package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.tool.LogTool;
import io.persist.tool.Pause;
import io.persist.tool.TailTool;
import java.io.PrintStream;

/** {@code tail LOG}: the last records of a log, and those that come. */
public final class TailCommand extends ToolArguments {

    @Parameter(
            names = {"-f", "--follow"},
            description = "go on with what is appended, until Ctrl-C")
    private boolean follow;

    @Parameter(
            names = {"-n", "--count"},
            description = "how many of the last records")
    private long count = 10;

    @ParametersDelegate
    private final RecordFlags records = new RecordFlags();

    private TailCommand() {}

    public static int run(String[] args, PrintStream out, PrintStream err) {
        return new TailCommand().run("tail", args, out, err);
    }

    @Override
    LogTool tool(PrintStream err) {
        return follow
                ? TailTool.following(count, records.printer(), Pause.backingOff())
                : TailTool.last(count, records.printer());
    }
}
