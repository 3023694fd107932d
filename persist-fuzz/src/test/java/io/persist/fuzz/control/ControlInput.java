package io.persist.fuzz.control;

import java.nio.ByteBuffer;

/**
 * A fault that is planted, to see that the fuzzer finds one and that it is reported: the negative control. In a package
 * of its own because the fuzzer watches it, as it does the library, and not the rest of these tests.
 */
public final class ControlInput {

    public static final String PROPERTY = "persist.fuzz.planted";
    public static final String MESSAGE = "the planted fault";

    /** Out of reach for who only tries; a fuzzer that sees comparisons has it at once. */
    private static final int MAGIC = 0x50455253;

    private static final boolean PLANTED = Boolean.getBoolean(PROPERTY);

    private ControlInput() {}

    public static boolean isPlanted() {
        return PLANTED;
    }

    public static void check(byte[] input) {
        if (input.length >= 8 && ByteBuffer.wrap(input).getInt(4) == MAGIC) {
            throw new AssertionError(MESSAGE);
        }
    }
}
