package io.persist.tool.read;

import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.select.RecordRange;
import io.persist.tool.text.JsonLine;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * Says whether two logs hold the same records, and where they part. Compared are numbers, payloads and commits; the
 * same records may have other positions. Both are compared up to where they end when it begins.
 */
public final class CompareTool implements LogTool {

    /** Whether it matters where commits start. */
    public enum Commits {
        COMPARE,
        IGNORE
    }

    private final FileAction<Storage> second;
    private final RecordRange range;
    private final Commits commits;
    private final Output output;

    private CompareTool(FileAction<Storage> second, RecordRange range, Commits commits, Output output) {
        this.second = second;
        this.range = range;
        this.commits = commits;
        this.output = output;
    }

    /**
     * A comparison with the log in the directory {@code second}.
     *
     * @param range of which the numbers and the limit count; records before or after it are not looked at
     */
    public static CompareTool with(Path second, RecordRange range, Commits commits, Output output) {
        return new CompareTool(() -> DirectoryStorage.open(second), range, commits, output);
    }

    /** The same with a log on a storage of the caller's. */
    public static CompareTool with(Storage second, RecordRange range, Commits commits, Output output) {
        return new CompareTool(() -> second, range, commits, output);
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        Storage other = FileAction.orFail("cannot read the second log", second);
        try (ComparedLog a = new ComparedLog(log, range);
                ComparedLog b = new ComparedLog(other, range)) {
            Comparison comparison = Comparison.of(a, b, commits, range.limit());
            switch (output) {
                case TEXT -> out.print(comparison.text());
                case JSON -> JsonLine.print(out, comparison::writeTo);
            }
            return comparison.isSame() ? ExitCode.OK : ExitCode.FAILURE;
        }
    }
}
