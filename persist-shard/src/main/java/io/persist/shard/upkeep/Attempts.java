package io.persist.shard.upkeep;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does things of which each may fail, and goes on with the others. One thread. */
public final class Attempts {

    private @Nullable Throwable first;

    /** Does {@code what}; says how it failed, and null if it did not. */
    public @Nullable Throwable run(Runnable what) {
        try {
            what.run();
            return null;
        } catch (RuntimeException | Error failed) {
            keep(failed);
            return failed;
        }
    }

    /** What {@code what} says; {@code otherwise} if it fails. */
    public <R> R get(Supplier<R> what, R otherwise) {
        try {
            return what.get();
        } catch (RuntimeException | Error failed) {
            keep(failed);
            return otherwise;
        }
    }

    /** Adds a failure to those that there are. */
    void keep(Throwable failed) {
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
    public @Nullable Throwable failure() {
        return first;
    }

    /** Throws the first failure, if there is one. */
    public void throwFailure() {
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException failed) {
            throw failed;
        }
    }
}
