package io.persist.log.engine;

import io.persist.log.read.PositionSync;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.Syncer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Syncs a log in its writer's process, together with all other threads that wait there; once the writer has closed the
 * log, as from outside.
 *
 * <p><b>Threads:</b> any.
 */
record WriterSync(LogPositions positions, Syncer syncer, LogClosing closing, PositionSync afterwards)
        implements PositionSync {

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);

    @Override
    public void syncTo(long known, long position) throws IOException {
        boolean interrupted = false;
        try {
            while (positions.synced() < position) {
                if (closing.isOver()) {
                    afterwards.syncTo(known, position);
                    return;
                }
                syncUnlessClosed(position);
                if (positions.synced() < position) {
                    // A tailer may see a record before the appender has counted it as flushed: mostly a moment before,
                    // but until the appender's next call if it had no stack left in between.
                    LockSupport.parkNanos(this, PAUSE_NS);
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns with nothing done if the log is just being closed. */
    private void syncUnlessClosed(long position) {
        try {
            syncer.syncTo(position);
        } catch (IllegalStateException closed) {
            if (!closing.hasBegun()) {
                throw closed;
            }
        }
    }
}
