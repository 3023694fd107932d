package io.persist.bench.rows;

import io.persist.bench.rows.promise.JournalMode;
import io.persist.bench.rows.promise.RowPromise;
import io.persist.bench.rows.promise.Synchronous;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * One of those that keep rows.
 *
 * @param name as the flag calls it
 * @param promises what its commits are worth
 * @param missing why it cannot run here and what to do about it; empty if it can
 */
public record RowEngine(
        String name,
        BiFunction<JournalMode, Synchronous, RowPromise> promises,
        Opener opener,
        Optional<String> missing) {

    /** Makes a table. */
    @FunctionalInterface
    public interface Opener {

        /**
         * Makes it at the path of {@code spec}, by a call that fails if anything is there: it is somebody else's, and
         * is not deleted.
         *
         * @throws java.nio.file.FileAlreadyExistsException if so
         */
        RowTable open(RowSpec spec) throws IOException;
    }

    /** One that can run. */
    public static RowEngine of(String name, BiFunction<JournalMode, Synchronous, RowPromise> promises, Opener opener) {
        return new RowEngine(name, promises, opener, Optional.empty());
    }
}
