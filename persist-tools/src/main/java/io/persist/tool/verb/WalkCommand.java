package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.command.Terminal;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.read.WalkTool;
import io.persist.tool.verb.flags.RecordFlags;
import io.persist.tool.verb.flags.RecordFlags.Format;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** {@code walk LOG}: through a log entry by entry, as the commands on standard input say. */
public final class WalkCommand extends ToolArguments {

    private final BufferedReader input;

    @Parameter(
            names = "--format",
            placeholder = "FORMAT",
            description = "text, or json for one line of JSON per record")
    private Output format = Output.TEXT;

    @ParametersDelegate
    private final RecordFlags records = new RecordFlags();

    /** At its defaults, with commands from the standard input. */
    public WalkCommand() {
        this(System.in);
    }

    /** The same with commands from somewhere else. */
    WalkCommand(InputStream input) {
        this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "walk",
                        "LOG",
                        "Goes through a log entry by entry, as the commands on standard input say: type help for them.")
                .example("look around by hand", "./logs")
                .example("in a script", "./logs < commands.txt")
                .exits("it came to damage, or the log cannot be read");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        requireOneLog("walk");
        WalkTool.Prompt prompt = Terminal.isPresent() ? WalkTool.Prompt.SHOW : WalkTool.Prompt.NONE;
        return new WalkTool(input, prompt, records.printer(format == Output.JSON ? Format.JSON : Format.TEXT));
    }
}
