package io.persist.log.engine;

import io.persist.log.read.PositionSync;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.Syncer;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Syncs a log in its writer's process, together with all other threads that wait there; once the writer has closed the
 * log, as from outside.
 *
 * <p><b>Threads:</b> any.
 */
record WriterSync(LogPositions positions, Syncer syncer, BooleanSupplier isClosed, PositionSync afterwards)
        implements PositionSync {

    @Override
    public void syncTo(long known, long position) throws IOException {
        while (positions.synced() < position) {
            if (isClosed.getAsBoolean()) {
                afterwards.syncTo(known, position);
                return;
            }
            // A tailer may see a record a moment before the appender has counted it as flushed: then once more.
            syncer.syncTo(position);
        }
    }
}
