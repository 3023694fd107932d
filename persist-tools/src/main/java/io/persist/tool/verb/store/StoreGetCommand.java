package io.persist.tool.verb.store;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.store.StoreGetTool;
import io.persist.tool.store.StoreGetTool.ValueStyle;
import io.persist.tool.verb.flags.KeyFlags;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** {@code store get STORE KEY}: the value of a key. */
final class StoreGetCommand extends ToolArguments {

    @Parameter(
            names = "--value",
            placeholder = "STYLE",
            description = "text, which is UTF-8 in quotes; hex; base64; raw for the bytes and nothing else")
    private ValueStyle value = ValueStyle.TEXT;

    @ParametersDelegate
    private final KeyFlags keys = new KeyFlags();

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    /** At its defaults. */
    public StoreGetCommand() {}

    @Override
    public Manual manual() {
        return Manual.of("store get", "STORE KEY", "Prints the value of a key.")
                .example("a key that is no text", "./store 00ff10 --keyFormat hex --value hex")
                .exits("there is no such key, or the store cannot be read");
    }

    @Override
    protected List<Path> directories() {
        if (arguments().size() != 2) {
            throw new IllegalArgumentException(
                    "store get is for a STORE and a KEY, given=" + arguments().size());
        }
        return List.of(Path.of(arguments().get(0)));
    }

    @Override
    protected LogTool tool(PrintStream err) {
        return new StoreGetTool(arguments().get(1), keys.format(), value, store.place());
    }
}
