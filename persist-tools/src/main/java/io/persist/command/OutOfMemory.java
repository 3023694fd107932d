package io.persist.command;

import org.jspecify.annotations.Nullable;

/** How to know a full heap by what it has ended. */
public final class OutOfMemory {

    private OutOfMemory() {}

    /**
     * Whether {@code failure} is an {@link OutOfMemoryError}, or has one as a cause. On a full heap the JVM throws one
     * and the same error again and again. If a {@code try} block ends with it, and so does the closing behind the
     * block, the second cannot be suppressed for the sake of the first: an {@link IllegalArgumentException} says so.
     */
    public static boolean isCauseOf(Throwable failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }
}
