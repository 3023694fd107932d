package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import io.persist.tool.CursorsTool;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** {@code cursors LOG...}: the named cursors, and what they hold. */
public final class CursorsCommand extends ToolArguments {

    @Parameter(names = "--format", description = "text, or json for one line of JSON per log")
    private String format = "text";

    @Parameter(names = "--remove", description = "remove the cursor of this name, which must not be in use")
    private @Nullable String remove;

    private CursorsCommand() {}

    public static int run(String[] args, PrintStream out, PrintStream err) {
        return new CursorsCommand().run("cursors", args, out, err);
    }

    @Override
    LogTool tool(PrintStream err) {
        Output output = output(format);
        return remove == null ? new CursorsTool(output) : CursorsTool.removing(remove);
    }
}
