package io.persist.tool.print;

import io.persist.tool.text.KeyFormat;
import io.persist.tool.text.PayloadStyle;
import io.persist.tool.text.PayloadText;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of the things that a record is made of, such as a message of a packet or a put of a transaction.
 *
 * @param name what it is
 * @param fields what it has, in the order in which they are printed
 */
public record Part(String name, List<Field> fields) {

    /** A value with a name. */
    sealed interface Field {
        String name();
    }

    public record NumberField(String name, long value) implements Field {}

    public record TextField(String name, String value) implements Field {}

    /** A key of a store: a view of the record, too. Where bytes are shown as text it is shown so that none is lost. */
    record KeyField(String name, ByteBuffer value) implements Field {

        /** Null if the style is to print none. */
        @Nullable
        String text(PayloadStyle style) {
            return switch (style) {
                case PREVIEW, TEXT -> KeyFormat.ESCAPED.text(value);
                case HEX, BASE64 -> PayloadText.of(value, style);
                case NONE -> null;
            };
        }

        /** The same without quotes of its own. */
        String plain(PayloadStyle style) {
            boolean isText = style == PayloadStyle.PREVIEW || style == PayloadStyle.TEXT;
            return isText ? KeyFormat.ESCAPED.plain(value) : PayloadText.of(value, style);
        }
    }

    /** Bytes of the user's: a view of the record, as long as this is the current one. */
    public record BytesField(String name, ByteBuffer value) implements Field {}
}
