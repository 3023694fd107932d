package io.persist.store;

import io.persist.index.node.KeyBuffer;
import java.util.Arrays;

/** Which key near to a given one is wanted, in the order of the keys: as {@link java.util.NavigableMap} has it. */
public enum Neighbour {
    /** The greatest key that is less. */
    LOWER,
    /** The greatest key that is not greater. */
    FLOOR,
    /** The least key that is not less. */
    CEILING,
    /** The least key that is greater. */
    HIGHER;

    /** No key is less. */
    static byte[] least() {
        return new byte[] {0};
    }

    /** No key is greater. */
    static byte[] greatest() {
        byte[] key = new byte[KeyBuffer.MAX_LENGTH];
        Arrays.fill(key, (byte) 0xFF);
        return key;
    }
}
