package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.read.CompareTool;
import io.persist.tool.read.CompareTool.Commits;
import io.persist.tool.select.RecordRange;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code compare A B}: whether two logs hold the same records, and where they part. */
public final class CompareCommand extends ToolArguments {

    @Parameter(names = "--fromSequence", placeholder = "N", description = "only records from this number on")
    private @Nullable Long fromSequence;

    @Parameter(names = "--toSequence", placeholder = "N", description = "only records up to this number")
    private @Nullable Long toSequence;

    @Parameter(
            names = {"-n", "--limit"},
            placeholder = "N",
            description = "at most so many records")
    private @Nullable Long limit;

    @Parameter(names = "--ignoreCommits", description = "it does not matter where commits start")
    private boolean ignoreCommits;

    @Parameter(names = "--format", placeholder = "FORMAT", description = "text, or json for one line of JSON")
    private Output format = Output.TEXT;

    /** At its defaults. */
    public CompareCommand() {}

    @Override
    public Manual manual() {
        return Manual.of("compare", "A B", "Says whether two logs hold the same records, or where they part.")
                .example("a log and its copy, whatever the commits were", "./logs ./copy --ignoreCommits")
                .exits("the logs differ, or one of them is damaged or cannot be read");
    }

    /** The tool runs on the first log; it knows the second. */
    @Override
    protected String nothingGiven() {
        return "no A and no B is given; name the directories of two logs";
    }

    @Override
    protected List<Path> directories() {
        List<Path> both = super.directories();
        if (both.size() == 1) {
            throw new IllegalArgumentException("no B is given; name the directory of a second log");
        }
        if (both.size() > 2) {
            throw new IllegalArgumentException("compare is for two logs, given=" + both.size());
        }
        return both.subList(0, 1);
    }

    @Override
    protected LogTool tool(PrintStream err) {
        RecordRange range = new RecordRange(
                0,
                Long.MAX_VALUE,
                orElse(fromSequence, 1),
                orElse(toSequence, Long.MAX_VALUE),
                orElse(limit, Long.MAX_VALUE));
        Path second = super.directories().get(1);
        return CompareTool.with(second, range, ignoreCommits ? Commits.IGNORE : Commits.COMPARE, format);
    }
}
