package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.tool.DumpTool;
import io.persist.tool.LogTool;
import io.persist.tool.RecordRange;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** {@code dump LOG...}: the records of logs as text or JSON Lines. */
public final class DumpCommand extends ToolArguments {

    @Parameter(names = "--fromPosition", description = "only records that begin at or after this position")
    private @Nullable Long fromPosition;

    @Parameter(names = "--toPosition", description = "only records that begin before this position")
    private @Nullable Long toPosition;

    @Parameter(names = "--fromSequence", description = "only records from this number on")
    private @Nullable Long fromSequence;

    @Parameter(names = "--toSequence", description = "only records up to this number")
    private @Nullable Long toSequence;

    @Parameter(
            names = {"-n", "--limit"},
            description = "at most so many records of each log")
    private @Nullable Long limit;

    @ParametersDelegate
    private final RecordFlags records = new RecordFlags();

    private DumpCommand() {}

    public static int run(String[] args, PrintStream out, PrintStream err) {
        return new DumpCommand().run("dump", args, out, err);
    }

    @Override
    LogTool tool(PrintStream err) {
        RecordRange range = new RecordRange(
                orElse(fromPosition, 0),
                orElse(toPosition, Long.MAX_VALUE),
                orElse(fromSequence, 1),
                orElse(toSequence, Long.MAX_VALUE),
                orElse(limit, Long.MAX_VALUE));
        return new DumpTool(range, records.printer());
    }
}
