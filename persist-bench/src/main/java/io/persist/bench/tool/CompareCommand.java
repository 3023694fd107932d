package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import io.persist.tool.CompareTool;
import io.persist.tool.CompareTool.Commits;
import io.persist.tool.LogTool;
import io.persist.tool.RecordRange;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code compare A B}: whether two logs hold the same records, and where they part. */
public final class CompareCommand extends ToolArguments {

    @Parameter(names = "--fromSequence", description = "only records from this number on")
    private @Nullable Long fromSequence;

    @Parameter(names = "--toSequence", description = "only records up to this number")
    private @Nullable Long toSequence;

    @Parameter(
            names = {"-n", "--limit"},
            description = "at most so many records")
    private @Nullable Long limit;

    @Parameter(names = "--ignoreCommits", description = "it does not matter where commits start")
    private boolean ignoreCommits;

    @Parameter(names = "--format", description = "text, or json for one line of JSON")
    private String format = "text";

    private CompareCommand() {}

    /** Returns 0 if they are the same, 1 if they differ or one of them cannot be read. */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        return new CompareCommand().run("compare", args, out, err);
    }

    /** The tool runs on the first log; it knows the second. */
    @Override
    List<Path> directories() {
        List<Path> both = super.directories();
        if (both.size() != 2) {
            throw new IllegalArgumentException("compare is for two logs, given=" + both.size());
        }
        return both.subList(0, 1);
    }

    @Override
    LogTool tool(PrintStream err) {
        RecordRange range = new RecordRange(
                0,
                Long.MAX_VALUE,
                orElse(fromSequence, 1),
                orElse(toSequence, Long.MAX_VALUE),
                orElse(limit, Long.MAX_VALUE));
        Path second = super.directories().get(1);
        return CompareTool.with(second, range, ignoreCommits ? Commits.IGNORE : Commits.COMPARE, output(format));
    }
}
