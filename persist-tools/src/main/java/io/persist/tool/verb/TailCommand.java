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
import io.persist.tool.verb.flags.RecordFlags.Format;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;

/** {@code tail LOG}: the last records of a log, and those that come. */
public final class TailCommand extends ToolArguments {

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
    private Format format = Format.TEXT;

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
        if (format == Format.HTML) {
            throw new IllegalArgumentException("--format html is none of text, json, csv; choose one");
        }
        RecordPrinter printer = records.printer(format);
        if (follow) {
            requireOneLog("--follow"); // a second one would never have its turn
        }
        if (format == Format.CSV) {
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
