package io.persist.error;

/** Checks the limits of settings. */
public final class Limits {

    private Limits() {}

    /** @throws IllegalArgumentException if {@code value} is not from {@code min} to {@code max} */
    public static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + ", min=" + min + ", max=" + max);
        }
    }
}
