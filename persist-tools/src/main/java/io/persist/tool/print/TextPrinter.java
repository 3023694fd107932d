package io.persist.tool.print;

import io.persist.log.read.Tailer;
import io.persist.tool.text.PayloadStyle;
import io.persist.tool.text.PayloadText;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;

/** One line for each record, and one more for each of its parts. */
final class TextPrinter extends RecordPrinter {

    private static final int POSITION_WIDTH = 14;
    private static final int SEQUENCE_WIDTH = 11;
    private static final int LENGTH_WIDTH = 9;
    private static final String INDENT = " ".repeat(POSITION_WIDTH + SEQUENCE_WIDTH + LENGTH_WIDTH + 3);

    TextPrinter(PayloadStyle style) {
        super(style);
    }

    @Override
    public void print(Tailer record, List<Part> parts, PrintStream out) {
        ByteBuffer payload = record.payloadUntilNext().duplicate();
        StringBuilder line = new StringBuilder(POSITION_WIDTH + SEQUENCE_WIDTH + LENGTH_WIDTH + 2);
        pad(line, record.position(), POSITION_WIDTH);
        pad(line, record.sequence(), SEQUENCE_WIDTH);
        pad(line, payload.remaining(), LENGTH_WIDTH);
        out.append(line.append(record.startsCommit() ? " C" : " -"));
        if (parts.isEmpty() && style() != PayloadStyle.NONE) {
            out.print(' ');
            PayloadText.print(payload, style(), out);
        }
        out.print('\n');
        for (Part part : parts) {
            out.append(INDENT).append(part(part)).append('\n');
        }
    }

    private String part(Part part) {
        StringBuilder line = new StringBuilder(part.name());
        for (Part.Field field : part.fields()) {
            if (field instanceof Part.NumberField number) {
                line.append(' ').append(field.name()).append('=').append(number.value());
            } else if (field instanceof Part.TextField text) {
                line.append(' ').append(field.name()).append('=').append(PayloadText.quoted(text.value()));
            } else if (field instanceof Part.KeyField key && style() != PayloadStyle.NONE) {
                line.append(' ').append(field.name()).append('=').append(key.text(style()));
            } else if (field instanceof Part.BytesField bytes && style() != PayloadStyle.NONE) {
                line.append(' ').append(field.name()).append('=').append(PayloadText.of(bytes.value(), style()));
            }
        }
        return line.toString();
    }

    private static void pad(StringBuilder line, long value, int width) {
        String digits = Long.toString(value);
        int gap = line.length() == 0 ? 0 : 1;
        line.append(" ".repeat(Math.max(gap, width - digits.length()))).append(digits);
    }
}
