package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.stats.CursorsTool;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** {@code cursors LOG...}: the named cursors, and what they hold. */
public final class CursorsCommand extends ToolArguments {

    @Parameter(
            names = "--format",
            placeholder = "FORMAT",
            defaultValueDescription = "text",
            description = "text, or json for one line of JSON per log")
    private @Nullable Output format;

    @Parameter(
            names = "--remove",
            placeholder = "NAME",
            description = "remove the cursor of this name, which must not be in use")
    private @Nullable String remove;

    /** At its defaults. */
    public CursorsCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "cursors",
                        "LOG...",
                        "Shows the named cursors of logs, what each holds back from retention and whether its reader",
                        "is refused, or removes one.")
                .example("remove a reader that will not come back", "./logs --remove billing")
                .exits("a reader is refused, a log is damaged at its end, or something cannot be read or removed");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        if (remove == null) {
            return new CursorsTool(format == null ? Output.TEXT : format);
        }
        if (format != null) {
            throw new IllegalArgumentException("--format is for showing cursors, and not for --remove; leave it out");
        }
        return CursorsTool.removing(remove);
    }
}
