package io.persist.tool;

import io.persist.log.read.Tailer;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;

/** One line of JSON for each record. */
final class JsonPrinter extends RecordPrinter {

    JsonPrinter(PayloadStyle style) {
        super(style);
    }

    @Override
    void print(Tailer record, List<Part> parts, PrintStream out) {
        ByteBuffer payload = record.payloadUntilNext().duplicate();
        out.append("{\"position\":").print(record.position());
        out.append(",\"sequence\":").print(record.sequence());
        out.append(",\"length\":").print(payload.remaining());
        out.append(",\"startsCommit\":").print(record.startsCommit());
        if (!parts.isEmpty()) {
            out.append(",\"parts\":").print(parts(parts, style()));
        } else if (style() != PayloadStyle.NONE) {
            out.append(",\"").append(style().key()).append("\":");
            printValue(payload, style(), out);
        }
        out.print("}\n");
    }

    /** A value, with its quotes. */
    static void printValue(ByteBuffer payload, PayloadStyle style, PrintStream out) {
        switch (style) {
            case BASE64, HEX -> {
                out.print('"');
                PayloadText.print(payload, style, out);
                out.print('"');
            }
            case PREVIEW, TEXT -> out.print(PayloadText.json(plain(payload, style)));
            case NONE -> {}
        }
    }

    /** The parts of a record as a JSON array of objects. */
    static String parts(List<Part> parts, PayloadStyle style) {
        StringBuilder json = new StringBuilder("[");
        for (Part part : parts) {
            json.append(json.length() > 1 ? "," : "").append("{\"part\":").append(PayloadText.json(part.name()));
            for (Part.Field field : part.fields()) {
                add(json, field, style);
            }
            json.append('}');
        }
        return json.append(']').toString();
    }

    private static void add(StringBuilder json, Part.Field field, PayloadStyle style) {
        boolean isBytes = field instanceof Part.BytesField || field instanceof Part.KeyField;
        if (isBytes && style == PayloadStyle.NONE) {
            return;
        }
        json.append(',').append(PayloadText.json(field.name())).append(':');
        if (field instanceof Part.NumberField number) {
            json.append(number.value());
        } else if (field instanceof Part.TextField text) {
            json.append(PayloadText.json(text.value()));
        } else if (field instanceof Part.KeyField key) {
            json.append(PayloadText.json(key.plain(style)));
        } else if (field instanceof Part.BytesField bytes) {
            json.append(PayloadText.json(plain(bytes.value(), style)));
        }
    }

    /** JSON has its own quotes around a text. */
    private static String plain(ByteBuffer bytes, PayloadStyle style) {
        return style == PayloadStyle.TEXT ? PayloadText.text(bytes) : PayloadText.of(bytes, style);
    }
}
