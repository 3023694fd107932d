package io.persist.tool.print;

import io.persist.log.read.Tailer;
import io.persist.tool.text.JsonLine;
import io.persist.tool.text.PayloadStyle;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;

/** One line of JSON for each record. */
final class JsonPrinter extends RecordPrinter {

    JsonPrinter(PayloadStyle style) {
        super(style);
    }

    @Override
    public void print(Tailer record, List<Part> parts, PrintStream out) {
        ByteBuffer payload = record.payloadUntilNext().duplicate();
        JsonLine.print(out, json -> {
            json.name("position").value(record.position());
            json.name("sequence").value(record.sequence());
            json.name("length").value(payload.remaining());
            json.name("startsCommit").value(record.startsCommit());
            if (!parts.isEmpty()) {
                json.name("parts");
                write(json, parts, style());
            } else if (style() != PayloadStyle.NONE) {
                json.name(style().key()).bytes(payload, style());
            }
        });
    }

    /** The parts of a record as an array of objects. */
    static String parts(List<Part> parts, PayloadStyle style) {
        return JsonLine.ofValue(json -> write(json, parts, style));
    }

    private static void write(JsonLine json, List<Part> parts, PayloadStyle style) throws IOException {
        json.beginArray();
        for (Part part : parts) {
            json.beginObject();
            json.name("part").value(part.name());
            for (Part.Field field : part.fields()) {
                write(json, field, style);
            }
            json.endObject();
        }
        json.endArray();
    }

    private static void write(JsonLine json, Part.Field field, PayloadStyle style) throws IOException {
        if (field instanceof Part.NumberField number) {
            json.name(field.name()).value(number.value());
        } else if (field instanceof Part.TextField text) {
            json.name(field.name()).value(text.value());
        } else if (style == PayloadStyle.NONE) {
            return;
        } else if (field instanceof Part.KeyField key) {
            json.name(field.name()).value(key.plain(style));
        } else if (field instanceof Part.BytesField bytes) {
            json.name(field.name()).bytes(bytes.value().duplicate(), style);
        }
    }
}
