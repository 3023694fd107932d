package io.persist.store;

import java.util.HexFormat;

/** Bytes of a key or a value as people see them in a message. */
final class ShownBytes {

    private static final int MAX_LENGTH = 32;

    private ShownBytes() {}

    /** In hexadecimal: all of them, or the first, and how many there are. */
    static String of(byte[] bytes) {
        return bytes.length <= MAX_LENGTH
                ? HexFormat.of().formatHex(bytes)
                : HexFormat.of().formatHex(bytes, 0, MAX_LENGTH) + "... of " + bytes.length + " bytes";
    }
}
