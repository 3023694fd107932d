package io.persist.bench.rows;

import io.persist.bench.rows.promise.JournalMode;
import io.persist.bench.rows.promise.RowPromise;
import io.persist.bench.rows.promise.Synchronous;
import io.persist.log.WriteMode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The table that is to be made.
 *
 * @param path of the file or directory, which is not there
 * @param segmentLength of a log, bytes
 * @param writeMode of a log; null for the one that suits its level
 */
public record RowSpec(
        Path path,
        JournalMode journal,
        Synchronous synchronous,
        RowPromise promise,
        int segmentLength,
        @Nullable WriteMode writeMode) {}
