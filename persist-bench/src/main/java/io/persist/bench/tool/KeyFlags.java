package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import io.persist.tool.KeyFormat;
import java.util.List;

/** How keys are written. */
final class KeyFlags {

    @Parameter(names = "--keyFormat", description = "how keys are given and printed: text, which is UTF-8, or hex")
    private String keyFormat = "text";

    KeyFormat format() {
        ToolArguments.requireOneOf("--keyFormat", keyFormat, List.of("text", "hex"));
        return keyFormat.equals("hex") ? KeyFormat.HEX : KeyFormat.TEXT;
    }
}
