package io.persist.tool;

import io.persist.log.Tailer;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Comma-separated values: a row for each record. Rows end with CR and LF, and a value with a comma, a quote or the end
 * of a line in it is quoted, as RFC 4180 has it. The parts of a record are one value, as JSON.
 */
final class CsvPrinter extends RecordPrinter {

    static final String END_OF_ROW = "\r\n";

    CsvPrinter(PayloadStyle style) {
        super(style);
    }

    @Override
    void begin(String log, PrintStream out) {
        out.append("position,sequence,startsCommit,length");
        if (style() != PayloadStyle.NONE) {
            out.append(',').append(style().key());
        }
        out.append(END_OF_ROW);
    }

    @Override
    void print(Tailer record, List<Part> parts, PrintStream out) {
        ByteBuffer payload = record.payload().duplicate();
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
            case TEXT -> out.print(quoted(PayloadText.text(payload)));
            case NONE -> {}
        }
    }

    static String quoted(String value) {
        boolean needsQuotes = value.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return needsQuotes ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }
}
