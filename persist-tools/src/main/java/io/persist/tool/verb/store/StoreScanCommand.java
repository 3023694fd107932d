package io.persist.tool.verb.store;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Manual;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.tool.LogTool;
import io.persist.tool.print.EntryPrinter;
import io.persist.tool.print.EntryPrinter.Form;
import io.persist.tool.store.StoreScanTool;
import io.persist.tool.text.KeyFormat;
import io.persist.tool.text.PayloadStyle;
import io.persist.tool.verb.flags.KeyFlags;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** {@code store scan STORE}: the keys of a range and their values, in order. */
final class StoreScanCommand extends ToolArguments {

    @Parameter(names = "--prefix", placeholder = "KEY", description = "only keys that begin with this")
    private @Nullable String prefix;

    @Parameter(names = "--from", placeholder = "KEY", description = "only keys from this one on")
    private @Nullable String from;

    @Parameter(names = "--below", placeholder = "KEY", description = "only keys below this one")
    private @Nullable String below;

    @Parameter(names = "--backward", description = "begin with the last key")
    private boolean backward;

    @Parameter(
            names = {"-n", "--limit"},
            placeholder = "N",
            description = "at most so many keys")
    private @Nullable Long limit;

    @Parameter(names = "--keysOnly", description = "print no values, and read none")
    private boolean keysOnly;

    @Parameter(
            names = "--format",
            placeholder = "FORMAT",
            description = "text; json for one line of JSON per key; csv for a table as in RFC 4180")
    private Form format = Form.TEXT;

    @Parameter(
            names = "--value",
            placeholder = "STYLE",
            description = "preview, text, hex, base64 or none; by default preview in text, base64 in json and csv")
    private @Nullable PayloadStyle value;

    @ParametersDelegate
    private final KeyFlags keys = new KeyFlags();

    @ParametersDelegate
    private final StoreFlags store = new StoreFlags();

    /** At its defaults. */
    public StoreScanCommand() {}

    @Override
    public Manual manual() {
        return Manual.of("store scan", "STORE", "Prints the keys of a range and their values, in order.")
                .example("the first ten keys that begin with order/", "./store --prefix order/ -n 10")
                .exits("the store is damaged, or cannot be read");
    }

    @Override
    protected LogTool tool(PrintStream err) {
        requireOneLog("store scan");
        Direction direction = backward ? Direction.BACKWARD : Direction.FORWARD;
        return new StoreScanTool(
                range(keys.format()), direction, orElse(limit, Long.MAX_VALUE), printer(), store.place());
    }

    private KeyRange range(KeyFormat keyFormat) {
        if (prefix != null) {
            if (from != null || below != null) {
                throw new IllegalArgumentException("give --prefix, or --from and --below");
            }
            return KeyRange.prefix(keyFormat.parse(prefix));
        }
        if (from != null) {
            byte[] first = keyFormat.parse(from);
            return below == null ? KeyRange.from(first) : KeyRange.between(first, keyFormat.parse(below));
        }
        return below == null ? KeyRange.all() : KeyRange.below(keyFormat.parse(below));
    }

    private EntryPrinter printer() {
        if (keysOnly) {
            if (value != null) {
                throw new IllegalArgumentException("--keysOnly prints no values, so that --value makes no sense");
            }
            return EntryPrinter.ofKeys(format, keys.format());
        }
        PayloadStyle usual = format == Form.TEXT ? PayloadStyle.PREVIEW : PayloadStyle.BASE64;
        return EntryPrinter.of(format, keys.format(), value == null ? usual : value);
    }
}
