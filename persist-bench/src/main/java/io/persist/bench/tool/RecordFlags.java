package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import io.persist.tool.PayloadStyle;
import io.persist.tool.RecordPrinter;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How records are printed. */
final class RecordFlags {

    @Parameter(names = "--format", description = "text, or json for one line of JSON per record")
    private String format = "text";

    @Parameter(
            names = "--payload",
            description = "preview, text, hex, base64 or none; by default preview in text and base64 in json")
    private @Nullable String payload;

    RecordPrinter printer() {
        return switch (format) {
            case "text" -> RecordPrinter.text(style(PayloadStyle.PREVIEW));
            case "json" -> RecordPrinter.json(style(PayloadStyle.BASE64));
            default -> throw new IllegalArgumentException("--format " + format + " is none of text, json");
        };
    }

    private PayloadStyle style(PayloadStyle usual) {
        String wanted = payload;
        if (wanted == null) {
            return usual;
        }
        return Arrays.stream(PayloadStyle.values())
                .filter(style -> style.name().toLowerCase(Locale.ROOT).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--payload " + wanted + " is none of preview, text, hex, base64, none"));
    }
}
