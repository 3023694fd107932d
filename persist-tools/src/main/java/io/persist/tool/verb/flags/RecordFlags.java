package io.persist.tool.verb.flags;

import com.beust.jcommander.Parameter;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.text.PayloadStyle;
import org.jspecify.annotations.Nullable;

/** How records are printed. */
public final class RecordFlags {

    /** What {@code --format} can be. */
    public enum Format {
        TEXT,
        JSON,
        CSV,
        HTML
    }

    @Parameter(
            names = "--payload",
            placeholder = "STYLE",
            defaultValueDescription = "by format",
            description = "preview, text, hex, base64 or none; if it is not given, preview in text and html, base64 in"
                    + " json and csv")
    private @Nullable PayloadStyle payload;

    /** The printer for {@code format}. */
    public RecordPrinter printer(Format format) {
        return switch (format) {
            case TEXT -> RecordPrinter.text(style(PayloadStyle.PREVIEW));
            case JSON -> RecordPrinter.json(style(PayloadStyle.BASE64));
            case CSV -> RecordPrinter.csv(style(PayloadStyle.BASE64));
            case HTML -> RecordPrinter.html(style(PayloadStyle.PREVIEW));
        };
    }

    private PayloadStyle style(PayloadStyle usual) {
        return payload == null ? usual : payload;
    }
}
