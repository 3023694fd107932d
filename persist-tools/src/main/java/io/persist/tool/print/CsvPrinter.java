package io.persist.tool.print;

import io.persist.log.read.Tailer;
import io.persist.tool.text.EscapedKey;
import io.persist.tool.text.PayloadStyle;
import io.persist.tool.text.PayloadText;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Comma-separated values: a row for each record. Rows end with CR and LF, and a value with a comma, a quote or the end
 * of a line in it is quoted, as RFC 4180 has it. The parts of a record are one value, as JSON. No value that comes from
 * a log is a formula of a spreadsheet.
 */
final class CsvPrinter extends RecordPrinter {

    static final String END_OF_ROW = "\r\n";

    /** Those of OWASP's list, and their full-width forms. */
    private static final String FORMULA_STARTS = "=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20";

    CsvPrinter(PayloadStyle style) {
        super(style);
    }

    @Override
    public void begin(String log, PrintStream out) {
        out.append("position,sequence,startsCommit,length");
        if (style() != PayloadStyle.NONE) {
            out.append(',').append(style().key());
        }
        out.append(END_OF_ROW);
    }

    @Override
    public void print(Tailer record, List<Part> parts, PrintStream out) {
        ByteBuffer payload = record.payloadUntilNext().duplicate();
        out.print(record.position());
        out.append(',').print(record.sequence());
        out.append(',').print(record.startsCommit());
        out.append(',').print(payload.remaining());
        if (style() != PayloadStyle.NONE) {
            out.print(',');
            if (parts.isEmpty()) {
                printValue(payload, style(), out);
            } else {
                out.print(quoted(JsonPrinter.parts(parts, style())));
            }
        }
        out.append(END_OF_ROW);
    }

    /** A value of a row. */
    static void printValue(ByteBuffer payload, PayloadStyle style, PrintStream out) {
        switch (style) {
            case BASE64, HEX -> PayloadText.print(payload, style, out);
            case PREVIEW -> out.print(quoted(PayloadText.preview(payload)));
            case TEXT -> out.print(text(PayloadText.text(payload)));
            case NONE -> {}
        }
    }

    /**
     * A value that is text of somebody's. A spreadsheet takes one that begins like a formula for one, which can fetch
     * and run things: the apostrophe has it shown as text. A terminal obeys controls, so they become what stands for
     * bytes that are no text.
     */
    static String text(String value) {
        boolean isFormula = isFormula(value);
        return quoted((isFormula ? "'" : "") + PayloadText.withoutControls(value));
    }

    private static boolean isFormula(String value) {
        return !value.isEmpty() && FORMULA_STARTS.indexOf(value.charAt(0)) >= 0;
    }

    /** A key as {@link EscapedKey} writes it. In place of the apostrophe an escape keeps it from being a formula. */
    static String escapedKey(String key) {
        return quoted(isFormula(key) ? EscapedKey.bytes(key.substring(0, 1)) + key.substring(1) : key);
    }

    static String quoted(String value) {
        boolean needsQuotes = value.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return needsQuotes ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }
}
