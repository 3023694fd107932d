package io.persist.tool.verb.flags;

import com.beust.jcommander.Parameter;
import io.persist.tool.text.KeyFormat;

/** How keys are written. */
public final class KeyFlags {

    @Parameter(
            names = "--keyFormat",
            placeholder = "FORMAT",
            description =
                    "how keys are given and printed: escaped, which is text with \\xNN for what is none; text; or hex")
    private KeyFormat keyFormat = KeyFormat.ESCAPED;

    public KeyFormat format() {
        return keyFormat;
    }
}
