package io.persist.error;

/** What a setting may be. */
public final class Limits {

    private Limits() {}

    /** @throws IllegalArgumentException if {@code value} is not from {@code min} to {@code max} */
    public static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + ", min=" + min + ", max=" + max);
        }
    }
}
