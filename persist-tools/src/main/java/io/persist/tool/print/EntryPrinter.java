package io.persist.tool.print;

import io.persist.tool.text.JsonLine;
import io.persist.tool.text.KeyFormat;
import io.persist.tool.text.PayloadStyle;
import io.persist.tool.text.PayloadText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;

/** Prints keys and values of a store one by one, so that its memory does not grow with the store. */
public final class EntryPrinter {

    /** In which form. */
    public enum Form {
        /** A line for people: key, length of the value, value. */
        TEXT,
        /** A line of JSON for each key. */
        JSON,
        /** A header row and a row for each key, as in RFC 4180. */
        CSV
    }

    private final Form form;
    private final KeyFormat keyFormat;
    private final PayloadStyle style;
    private final boolean hasValues;

    private EntryPrinter(Form form, KeyFormat keyFormat, PayloadStyle style, boolean hasValues) {
        this.form = form;
        this.keyFormat = keyFormat;
        this.style = style;
        this.hasValues = hasValues;
    }

    /** A printer of keys with their values in {@code style}; {@link PayloadStyle#NONE} leaves their lengths. */
    public static EntryPrinter of(Form form, KeyFormat keyFormat, PayloadStyle style) {
        return new EntryPrinter(form, keyFormat, style, true);
    }

    /** A printer of nothing but keys: no value is read. */
    public static EntryPrinter ofKeys(Form form, KeyFormat keyFormat) {
        return new EntryPrinter(form, keyFormat, PayloadStyle.NONE, false);
    }

    public boolean hasValues() {
        return hasValues;
    }

    public void begin(PrintStream out) {
        if (form == Form.CSV) {
            String value = style == PayloadStyle.NONE ? "" : ",value";
            out.append(hasValues ? "key,length" + value + ",damage" : "key").append(CsvPrinter.END_OF_ROW);
        }
    }

    public void printKey(ByteBuffer key, PrintStream out) {
        switch (form) {
            case TEXT -> out.append(keyFormat.text(key)).append('\n');
            case JSON -> JsonLine.print(out, json -> write(json, key));
            case CSV -> out.append(csvKey(key)).append(CsvPrinter.END_OF_ROW);
        }
    }

    public void print(ByteBuffer key, ByteBuffer value, PrintStream out) {
        int length = value.remaining();
        switch (form) {
            case TEXT -> {
                out.append(keyFormat.text(key)).append(' ').print(length);
                out.append(style == PayloadStyle.NONE ? "" : " ");
                PayloadText.print(value, style, out);
                out.append('\n');
            }
            case JSON ->
                JsonLine.print(out, json -> {
                    write(json, key);
                    json.name("length").value(length);
                    if (style != PayloadStyle.NONE) {
                        json.name("value").bytes(value, style);
                    }
                });
            case CSV -> {
                out.append(csvKey(key)).append(',').print(length);
                if (style != PayloadStyle.NONE) {
                    out.append(',');
                    CsvPrinter.printValue(value, style, out);
                }
                out.append(',').append(CsvPrinter.END_OF_ROW);
            }
        }
    }

    public void printDamage(ByteBuffer key, String damage, PrintStream out) {
        String line = damage.replace('\n', ' ');
        switch (form) {
            case TEXT ->
                out.append(keyFormat.text(key))
                        .append(" damaged: ")
                        .append(line)
                        .append('\n');
            case JSON ->
                JsonLine.print(out, json -> {
                    write(json, key);
                    json.name("damage").value(line);
                });
            case CSV -> {
                String empty = style == PayloadStyle.NONE ? ",," : ",,,";
                out.append(csvKey(key))
                        .append(empty)
                        .append(CsvPrinter.quoted(line))
                        .append(CsvPrinter.END_OF_ROW);
            }
        }
    }

    private void write(JsonLine json, ByteBuffer key) throws IOException {
        json.name("key").value(keyFormat.plain(key));
    }

    private String csvKey(ByteBuffer key) {
        String plain = keyFormat.plain(key);
        return keyFormat == KeyFormat.ESCAPED ? CsvPrinter.escapedKey(plain) : CsvPrinter.text(plain);
    }
}
