package io.persist.tool.print;

import io.persist.log.read.Tailer;
import io.persist.tool.select.RecordSelection.Counts;
import io.persist.tool.text.PayloadStyle;
import java.io.PrintStream;
import java.util.List;

/** Prints records one by one, so that its memory does not grow with the log. */
public abstract sealed class RecordPrinter permits TextPrinter, JsonPrinter, CsvPrinter, HtmlPrinter {

    private final PayloadStyle style;

    RecordPrinter(PayloadStyle style) {
        this.style = style;
    }

    /** Lines for people: position, sequence number, payload length, {@code C} if a commit starts, payload. */
    public static RecordPrinter text(PayloadStyle style) {
        return new TextPrinter(style);
    }

    /** JSON Lines; the payload's key is {@code payload} for base64, else the style's name. */
    public static RecordPrinter json(PayloadStyle style) {
        return new JsonPrinter(style);
    }

    /** Comma-separated values as in RFC 4180, with a header row; the names are the keys of the JSON Lines. */
    public static RecordPrinter csv(PayloadStyle style) {
        return new CsvPrinter(style);
    }

    /** One page of HTML, which needs nothing but itself. */
    public static RecordPrinter html(PayloadStyle style) {
        return new HtmlPrinter(style);
    }

    /** Prints what comes before the records of {@code log}. */
    public void begin(String log, PrintStream out) {}

    /** Prints the current record of a tailer: the {@code parts} it is made of, or its payload if there are none. */
    public abstract void print(Tailer record, List<Part> parts, PrintStream out);

    /**
     * Prints what comes after the records.
     *
     * @param message why they end, empty at a plain end
     */
    public void end(Counts counts, String message, PrintStream out) {}

    final PayloadStyle style() {
        return style;
    }
}
