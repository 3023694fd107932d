package io.persist.tool.verb.flags;

import com.beust.jcommander.Parameter;
import io.persist.tool.text.KeyFormat;
import java.util.List;
import java.util.Locale;

/** How keys are written. */
public final class KeyFlags {

    @Parameter(
            names = "--keyFormat",
            placeholder = "FORMAT",
            description =
                    "how keys are given and printed: escaped, which is text with \\xNN for what is none; text; or hex")
    private String keyFormat = "escaped";

    public KeyFormat format() {
        ToolArguments.requireOneOf("--keyFormat", keyFormat, List.of("escaped", "text", "hex"));
        return KeyFormat.valueOf(keyFormat.toUpperCase(Locale.ROOT));
    }
}
