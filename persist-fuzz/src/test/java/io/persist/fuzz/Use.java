package io.persist.fuzz;

import io.persist.error.PersistException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A use of hostile files. */
interface Use {

    void run();

    /** What somebody saw, or was told in place of it. */
    record Outcome<T>(@Nullable T seen, @Nullable String refusal) {

        boolean isRefused() {
            return refusal != null;
        }

        T get() {
            return Objects.requireNonNull(seen, "refused: " + refusal);
        }
    }

    /** Does something that may be refused by one of Persist's own exceptions, with a message of one line. */
    static <T> Outcome<T> attempt(Supplier<T> use) {
        try {
            return new Outcome<>(use.get(), null);
        } catch (PersistException typed) {
            return new Outcome<>(null, refusal(typed));
        }
    }

    static String refusal(RuntimeException typed) {
        String message = String.valueOf(typed.getMessage());
        require(!message.contains("\n"), "a message of several lines: " + message);
        return typed.getClass().getSimpleName() + ": " + message;
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void requireSame(Object expected, Object found, String what) {
        if (!expected.equals(found)) {
            throw new AssertionError(what + ": expected " + expected + "\nbut found " + found);
        }
    }
}
