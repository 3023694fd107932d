package io.persist.shard;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Does things of which each may fail, and goes on with the others. One thread. */
final class Attempts {

    private @Nullable Throwable first;

    /** Does {@code what}; says how it failed, and null if it did not. */
    @Nullable
    Throwable run(Runnable what) {
        try {
            what.run();
            return null;
        } catch (RuntimeException | Error failed) {
            keep(failed);
            return failed;
        }
    }

    /** What {@code what} says; false if it fails. */
    boolean test(BooleanSupplier what) {
        try {
            return what.getAsBoolean();
        } catch (RuntimeException | Error failed) {
            keep(failed);
            return false;
        }
    }

    private void keep(Throwable failed) {
        if (first == null) {
            first = failed;
        } else if (first != failed) { // the JVM has some errors once
            suppress(first, failed);
        }
    }

    /** Without memory the first one has to do: to throw here would end what goes on with the others. */
    private static void suppress(Throwable first, Throwable failed) {
        try {
            first.addSuppressed(failed);
        } catch (OutOfMemoryError full) {
            // the first one is what is said
        }
    }

    /** The first failure, which has the others as suppressed ones; null if all is well. */
    @Nullable
    Throwable failure() {
        return first;
    }

    /** Throws the first failure, if there is one. */
    void throwFailure() {
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException failed) {
            throw failed;
        }
    }
}
