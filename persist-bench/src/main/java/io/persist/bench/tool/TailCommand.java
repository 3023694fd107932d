package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.tool.LogTool;
import io.persist.tool.Pause;
import io.persist.tool.RecordPrinter;
import io.persist.tool.TailTool;
import java.io.PrintStream;
import java.util.List;

/** {@code tail LOG}: the last records of a log, and those that come. */
public final class TailCommand extends ToolArguments {

    private static final List<String> FORMATS = List.of("text", "json", "csv");

    @Parameter(
            names = {"-f", "--follow"},
            description = "go on with what is appended, until Ctrl-C")
    private boolean follow;

    @Parameter(
            names = {"-n", "--count"},
            description = "how many of the last records")
    private long count = 10;

    @Parameter(
            names = "--format",
            description = "text; json for one line of JSON per record; csv for a table as in RFC 4180")
    private String format = "text";

    @ParametersDelegate
    private final RecordFlags records = new RecordFlags();

    private TailCommand() {}

    public static int run(String[] args, PrintStream out, PrintStream err) {
        return new TailCommand().run("tail", args, out, err);
    }

    @Override
    LogTool tool(PrintStream err) {
        RecordPrinter printer = records.printer(format, FORMATS);
        if (format.equals("csv")) {
            requireOneLog("--format csv");
        }
        return follow ? TailTool.following(count, printer, Pause.backingOff()) : TailTool.last(count, printer);
    }
}
