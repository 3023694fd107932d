package io.persist.shard.s3;

import io.persist.shard.location.Blob;
import org.jspecify.annotations.Nullable;

/**
 * Keys for names of objects. What is no letter, digit, underscore, dash, dot or slash is an exclamation mark and two
 * hex digits, and so are a slash without anything before it in its part of the path, and a dot there. The key of a
 * prefix is a prefix of the keys.
 */
final class S3Keys {

    private S3Keys() {}

    static String of(String name) {
        return escaped(Blob.checkName(name));
    }

    /** The same for what names begin with, which may be empty. */
    static String escaped(String text) {
        StringBuilder key = new StringBuilder();
        char before = '/';
        for (char c : text.toCharArray()) {
            boolean isPlain = isPlain(c) || before != '/' && (c == '/' || c == '.');
            if (isPlain) {
                key.append(c);
            } else {
                key.append('!').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
            before = c;
        }
        return key.toString();
    }

    private static boolean isPlain(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_';
    }

    /** The name for the key, or null if it is none's. */
    static @Nullable String nameOf(String key) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == '!' && i + 2 < key.length()) {
                c = (char) (16 * Character.digit(key.charAt(i + 1), 16) + Character.digit(key.charAt(i + 2), 16));
                i += 2;
            }
            name.append(c);
        }
        String found = name.toString();
        boolean isName = !found.isEmpty()
                && found.length() <= Blob.MAX_NAME
                && escaped(found).equals(key);
        return isName ? found : null;
    }
}
