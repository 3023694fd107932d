package io.persist.tool.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** How keys are written, on the command line and in what is printed. */
public enum KeyFormat {
    /** As {@link EscapedKey} writes them: text where it is text, and no byte is lost. */
    ESCAPED,
    /** As UTF-8, with escapes for what cannot be seen; of a key that is no text bytes are lost. */
    TEXT,
    /** In hexadecimal. */
    HEX;

    /**
     * The key that {@code text} says.
     *
     * @throws IllegalArgumentException if it says none
     */
    public byte[] parse(String text) {
        if (this == ESCAPED) {
            return EscapedKey.parse(text);
        }
        if (this == TEXT) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("key=" + text + " is not hexadecimal: " + e.getMessage(), e);
        }
    }

    /** A key for people. */
    public String text(ByteBuffer key) {
        return switch (this) {
            case ESCAPED -> '"' + EscapedKey.of(key) + '"';
            case TEXT -> PayloadText.quoted(PayloadText.text(key));
            case HEX -> hex(key);
        };
    }

    /** A key as it is, for JSON and CSV, which have their own quotes. */
    public String plain(ByteBuffer key) {
        return switch (this) {
            case ESCAPED -> EscapedKey.of(key);
            case TEXT -> PayloadText.text(key);
            case HEX -> hex(key);
        };
    }

    private static String hex(ByteBuffer key) {
        return PayloadText.of(key, PayloadStyle.HEX);
    }
}
