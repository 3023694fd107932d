package io.persist.error;

import java.time.Duration;

/** Checks the limits of settings. */
public final class Limits {

    private Limits() {}

    /** @throws IllegalArgumentException if {@code value} is not from {@code min} to {@code max} */
    public static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + ", min=" + min + ", max=" + max);
        }
    }

    /** @throws IllegalArgumentException if {@code value} is not from {@code min} to {@code max}, nor zero for none */
    public static void checkUnlessZero(String name, Duration value, Duration min, Duration max) {
        if (!value.isZero() && (value.compareTo(min) < 0 || value.compareTo(max) > 0)) {
            throw new IllegalArgumentException(
                    name + "=" + value + ", min=" + min + ", max=" + max + ", or 0 for none");
        }
    }

    /** @throws IllegalArgumentException if {@code value} is negative */
    public static void checkNotNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + "=" + value + ", min=PT0S");
        }
    }
}
