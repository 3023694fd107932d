package io.persist.tool;

import io.persist.log.Tailer;
import java.io.PrintStream;
import java.nio.ByteBuffer;

/** Prints one record on one line. */
public abstract sealed class RecordPrinter {

    private final PayloadStyle style;

    private RecordPrinter(PayloadStyle style) {
        this.style = style;
    }

    /** Lines for people: position, sequence number, payload length, {@code C} if a commit starts, payload. */
    public static RecordPrinter text(PayloadStyle style) {
        return new Text(style);
    }

    /** JSON Lines; the payload's key is {@code payload} for base64, else the style's name. */
    public static RecordPrinter json(PayloadStyle style) {
        return new Json(style);
    }

    abstract void print(Tailer record, PrintStream out);

    final PayloadStyle style() {
        return style;
    }

    private static final class Text extends RecordPrinter {

        private static final int POSITION_WIDTH = 14;
        private static final int SEQUENCE_WIDTH = 11;
        private static final int LENGTH_WIDTH = 9;

        Text(PayloadStyle style) {
            super(style);
        }

        @Override
        void print(Tailer record, PrintStream out) {
            ByteBuffer payload = record.payload().duplicate();
            StringBuilder line = new StringBuilder(POSITION_WIDTH + SEQUENCE_WIDTH + LENGTH_WIDTH + 2);
            pad(line, record.position(), POSITION_WIDTH);
            pad(line, record.sequence(), SEQUENCE_WIDTH);
            pad(line, payload.remaining(), LENGTH_WIDTH);
            out.append(line.append(record.startsCommit() ? " C" : " -"));
            if (style() != PayloadStyle.NONE) {
                out.print(' ');
            }
            switch (style()) {
                case PREVIEW -> out.print(PayloadText.preview(payload));
                case BASE64 -> PayloadText.printBase64(payload, out);
                case HEX -> PayloadText.printHex(payload, out);
                case TEXT -> out.print(PayloadText.quoted(PayloadText.text(payload)));
                case NONE -> {}
            }
            out.print('\n');
        }

        private static void pad(StringBuilder line, long value, int width) {
            String digits = Long.toString(value);
            int gap = line.length() == 0 ? 0 : 1;
            line.append(" ".repeat(Math.max(gap, width - digits.length()))).append(digits);
        }
    }

    private static final class Json extends RecordPrinter {

        Json(PayloadStyle style) {
            super(style);
        }

        @Override
        void print(Tailer record, PrintStream out) {
            ByteBuffer payload = record.payload().duplicate();
            out.append("{\"position\":").print(record.position());
            out.append(",\"sequence\":").print(record.sequence());
            out.append(",\"length\":").print(payload.remaining());
            out.append(",\"startsCommit\":").print(record.startsCommit());
            switch (style()) {
                case BASE64 -> {
                    out.print(",\"payload\":\"");
                    PayloadText.printBase64(payload, out);
                    out.print('"');
                }
                case HEX -> {
                    out.print(",\"hex\":\"");
                    PayloadText.printHex(payload, out);
                    out.print('"');
                }
                case PREVIEW -> out.append(",\"preview\":").print(PayloadText.json(PayloadText.preview(payload)));
                case TEXT -> out.append(",\"text\":").print(PayloadText.json(PayloadText.text(payload)));
                case NONE -> {}
            }
            out.print("}\n");
        }
    }
}
