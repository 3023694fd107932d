package io.persist.shard.bytes;

import java.nio.charset.StandardCharsets;

/** Bytes of text from which the same text comes back. */
public final class Utf8 {

    private Utf8() {}

    /**
     * The UTF-8 of {@code text}. Java would make {@code ?} of each lone surrogate, and one text of several.
     *
     * @throws IllegalArgumentException if there is a lone surrogate, which has no UTF-8 of its own
     */
    public static byte[] of(String text) {
        check(text);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * {@code text}, if it has UTF-8.
     *
     * @throws IllegalArgumentException if there is a lone surrogate
     */
    public static String check(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == length || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    throw new IllegalArgumentException("no UTF-8: a lone surrogate at character " + i);
                }
                i++;
            }
        }
        return text;
    }
}
