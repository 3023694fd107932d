package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.tool.LogTool;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.DumpTool;
import io.persist.tool.read.DumpTool.Damage;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.SkipAndLimit;
import io.persist.tool.verb.flags.RecordFlags;
import io.persist.tool.verb.flags.RecordFlags.Format;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** {@code dump LOG...}: the records of logs as text, JSON Lines, CSV or HTML. */
public final class DumpCommand extends ToolArguments {

    @Parameter(
            names = "--fromPosition",
            placeholder = "POSITION",
            description = "only records that begin at or after this position")
    private @Nullable Long fromPosition;

    @Parameter(
            names = "--toPosition",
            placeholder = "POSITION",
            description = "only records that begin before this position")
    private @Nullable Long toPosition;

    @Parameter(names = "--fromSequence", placeholder = "N", description = "only records from this number on")
    private @Nullable Long fromSequence;

    @Parameter(names = "--toSequence", placeholder = "N", description = "only records up to this number")
    private @Nullable Long toSequence;

    @Parameter(
            names = {"-n", "--limit"},
            placeholder = "N",
            description = "at most so many records of each log")
    private @Nullable Long limit;

    @Parameter(
            names = "--limitCommits",
            placeholder = "N",
            description = "records of at most so many commits of each log")
    private @Nullable Long limitCommits;

    @Parameter(
            names = "--skip",
            placeholder = "N",
            description = "leave so many records out at first, after --skipCommits")
    private long skip;

    @Parameter(
            names = "--skipCommits",
            placeholder = "N",
            description = "leave the records of so many commits out at first")
    private long skipCommits;

    @Parameter(
            names = "--format",
            placeholder = "FORMAT",
            description = "text; json for one line of JSON per record; csv for a table as in RFC 4180; html for a page")
    private Format format = Format.TEXT;

    @Parameter(
            names = "--skipDamaged",
            description = "leave damaged records out, say so, and go on after them; returns 1 then")
    private boolean skipDamaged;

    @ParametersDelegate
    private final RecordFlags records = new RecordFlags();

    /** At its defaults. */
    public DumpCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "dump",
                        "LOG...",
                        "Prints the records of logs in order, while they are written or not. It takes no lock and",
                        "changes nothing.")
                .example(
                        "the records 1,000 to 1,009 as JSON Lines, with everything that they hold",
                        "./logs --fromSequence 1000 -n 10 --format json")
                .example("a table for a spreadsheet", "./logs --format csv --payload text")
                .example("what recovery has cut off", "./logs/00000000000000000000.log.at-4711.1.aside")
                .exits("a log is damaged, or cannot be read");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        RecordRange range = new RecordRange(
                orElse(fromPosition, 0),
                orElse(toPosition, Long.MAX_VALUE),
                orElse(fromSequence, 1),
                orElse(toSequence, Long.MAX_VALUE),
                orElse(limit, Long.MAX_VALUE));
        RecordPrinter printer = records.printer(format);
        if (format == Format.CSV || format == Format.HTML) {
            requireOneLog("--format " + Text.camelCase(format));
        }
        SkipAndLimit skipAndLimit = new SkipAndLimit(skip, skipCommits, orElse(limitCommits, Long.MAX_VALUE));
        return new DumpTool(range, skipAndLimit, printer, skipDamaged ? Damage.SKIP : Damage.STOP);
    }
}
