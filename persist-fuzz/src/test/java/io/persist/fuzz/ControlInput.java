package io.persist.fuzz;

import java.nio.ByteBuffer;

/** A fault that is planted, to see that the fuzzer finds one and that it is reported: the negative control. */
final class ControlInput {

    static final String PROPERTY = "persist.fuzz.planted";
    static final String MESSAGE = "the planted fault";

    /** Out of reach for who only tries; a fuzzer that sees comparisons has it at once. */
    private static final int MAGIC = 0x50455253;

    private static final boolean PLANTED = Boolean.getBoolean(PROPERTY);

    private ControlInput() {}

    static boolean isPlanted() {
        return PLANTED;
    }

    static void check(byte[] input) {
        if (input.length >= 8 && ByteBuffer.wrap(input).getInt(4) == MAGIC) {
            throw new AssertionError(MESSAGE);
        }
    }
}
