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
        if (this != HEX) {
            checkDecoded(text);
            return this == ESCAPED ? EscapedKey.parse(text) : text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("key=" + text + " is not hexadecimal: " + e.getMessage(), e);
        }
    }

    /** Java reads a command line in the locale's encoding, and has a replacement for what is none: another key. */
    private static void checkDecoded(String text) {
        boolean isEncodable = StandardCharsets.UTF_8.newEncoder().canEncode(text); // not with half a character
        if (!isEncodable || text.indexOf(EscapedKey.REPLACEMENT) >= 0) {
            throw new IllegalArgumentException("key=" + text
                    + " has characters that this locale does not have; set LC_ALL=C.UTF-8, or give the key escaped,"
                    + " with \\xNN for each byte of them");
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
