package io.persist.tool.text;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/** A value of JSON on one line, as gson writes it, but in ASCII, which every stream can print. */
public final class JsonLine extends JsonWriter {

    /** Writes the fields of an object, or one value. */
    @FunctionalInterface
    public interface Content {
        void write(JsonLine json) throws IOException;
    }

    private final AsciiText text;

    private JsonLine(AsciiText text) {
        super(text);
        this.text = text;
    }

    /** An object with these fields, without a line end. */
    public static String of(Content fields) {
        return ofValue(json -> json.object(fields));
    }

    /** A value, without a line end. */
    public static String ofValue(Content value) {
        AsciiText text = new AsciiText(null);
        write(text, value);
        return text.toString();
    }

    /** Prints an object with these fields on a line. */
    public static void print(PrintStream out, Content fields) {
        AsciiText text = new AsciiText(out);
        write(text, json -> json.object(fields));
        text.append('\n').flush();
    }

    private static void write(AsciiText text, Content content) {
        try {
            content.write(new JsonLine(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of no file: what is printed to keeps its failure to itself
        }
    }

    @Override
    public JsonLine name(String name) throws IOException {
        super.name(name);
        return this;
    }

    /** Adds a constant's name in lower case. */
    public JsonLine value(Enum<?> constant) throws IOException {
        value(constant.name().toLowerCase(Locale.ROOT));
        return this;
    }

    /** Adds an object with these fields. */
    public JsonLine object(Content fields) throws IOException {
        beginObject();
        fields.write(this);
        endObject();
        return this;
    }

    /**
     * Adds bytes as a text in {@code style}, or no value if the style is to print none. Base64 and hexadecimal go out
     * piece by piece, so that no copy of a long payload is needed; with a name before them.
     */
    public JsonLine bytes(ByteBuffer bytes, PayloadStyle style) throws IOException {
        switch (style) {
            case BASE64, HEX -> {
                jsonValue("\"");
                PayloadText.encode(bytes, style, text::append);
                text.append('"');
            }
            case PREVIEW -> value(PayloadText.preview(bytes));
            case TEXT -> value(PayloadText.text(bytes));
            case NONE -> {}
        }
        return this;
    }
}
