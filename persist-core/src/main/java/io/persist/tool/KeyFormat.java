package io.persist.tool;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** How keys are written, on the command line and in what is printed. */
public enum KeyFormat {
    /** As UTF-8, with escapes for what cannot be seen; a key that is no text needs {@link #HEX}. */
    TEXT,
    /** In hexadecimal. */
    HEX;

    /**
     * The key that {@code text} says.
     *
     * @throws IllegalArgumentException if it says none
     */
    public byte[] parse(String text) {
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
    String text(ByteBuffer key) {
        return this == TEXT ? PayloadText.quoted(PayloadText.text(key)) : hex(key);
    }

    /** A key as it is, for JSON and CSV, which have their own quotes. */
    String plain(ByteBuffer key) {
        return this == TEXT ? PayloadText.text(key) : hex(key);
    }

    private static String hex(ByteBuffer key) {
        return PayloadText.of(key, PayloadStyle.HEX);
    }
}
