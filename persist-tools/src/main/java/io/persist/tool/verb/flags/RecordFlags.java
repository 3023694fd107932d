package io.persist.tool.verb.flags;

import com.beust.jcommander.Parameter;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.text.PayloadStyle;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How records are printed. */
public final class RecordFlags {

    @Parameter(
            names = "--payload",
            placeholder = "STYLE",
            defaultValueDescription = "by format",
            description = "preview, text, hex, base64 or none; if it is not given, preview in text and html, base64 in"
                    + " json and csv")
    private @Nullable String payload;

    /** The printer for {@code format}, which is one of {@code formats}. */
    public RecordPrinter printer(String format, List<String> formats) {
        ToolArguments.requireFormat(format, formats);
        return switch (format) {
            case "json" -> RecordPrinter.json(style(PayloadStyle.BASE64));
            case "csv" -> RecordPrinter.csv(style(PayloadStyle.BASE64));
            case "html" -> RecordPrinter.html(style(PayloadStyle.PREVIEW));
            default -> RecordPrinter.text(style(PayloadStyle.PREVIEW));
        };
    }

    private PayloadStyle style(PayloadStyle usual) {
        return style("--payload", payload, usual);
    }

    /** The style that {@code wanted} says, the value of {@code flag}; {@code usual} if it was not given. */
    public static PayloadStyle style(String flag, @Nullable String wanted, PayloadStyle usual) {
        if (wanted == null) {
            return usual;
        }
        return Arrays.stream(PayloadStyle.values())
                .filter(style -> style.name().toLowerCase(Locale.ROOT).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        flag + " " + wanted + " is none of preview, text, hex, base64, none"));
    }
}
