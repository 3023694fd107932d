package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.OutputException;
import io.persist.tool.Pause;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.TailTool;
import io.persist.tool.verb.flags.RecordFlags;
import io.persist.tool.verb.flags.ToolArguments;
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
            placeholder = "N",
            description = "how many of the last records")
    private long count = 10;

    @Parameter(
            names = "--format",
            placeholder = "FORMAT",
            description = "text; json for one line of JSON per record; csv for a table as in RFC 4180")
    private String format = "text";

    @ParametersDelegate
    private final RecordFlags records = new RecordFlags();

    /** At its defaults. */
    public TailCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "tail",
                        "LOG...",
                        "Prints the last records of a log, and those that are appended from then on with -f, while",
                        "the log is closed, recovered and opened too.")
                .example("the last 20 records, and all that come", "./logs -n 20 -f")
                .exits("the log is damaged, or cannot be read");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        RecordPrinter printer = records.printer(format, FORMATS);
        if (follow) {
            requireOneLog("--follow"); // a second one would never have its turn
        }
        if (format.equals("csv")) {
            requireOneLog("--format csv");
        }
        return follow ? TailTool.following(count, printer, whileRead()) : TailTool.last(count, printer);
    }

    /** Ends the program when nobody reads the output any more, though there is nothing to write. */
    private static Pause whileRead() {
        OutputReader reader = OutputReader.current();
        Pause pause = Pause.backingOff();
        return times -> {
            if (reader.hasGone()) {
                throw OutputException.readerGone();
            }
            return pause.await(times);
        };
    }
}
