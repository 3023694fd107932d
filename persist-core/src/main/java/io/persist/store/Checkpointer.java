package io.persist.store;

import io.persist.index.IndexCursor;
import io.persist.index.KeyBuffer;
import io.persist.log.Durability;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Writes checkpoints: a snapshot of the index, while commits go on. It becomes one only when it is whole and everything
 * that it refers to is synced; until then the ones before it stay what they are. So one that fails has cost time.
 *
 * <p><b>Threads:</b> one at a time; the numbers are for the thread that has the store's lock.
 */
final class Checkpointer {

    private final StoreCore core;
    private final Snapshots snapshots;
    private final Checkpoints checkpoints;
    private final CheckpointTrigger trigger;

    private long position;
    private long bytes;

    /**
     * The position of the checkpoint before the newest one, 0 if there is none: what is below is replayed by nobody.
     */
    private long olderPosition;

    private boolean inProgress;
    private long written;
    private long failures;
    private long startedAtMs;
    private long elapsedNs;
    private String lastFailure = "";

    Checkpointer(
            StoreCore core,
            Snapshots snapshots,
            Checkpoints checkpoints,
            CheckpointTrigger trigger,
            StoreRecovery recovery)
            throws IOException {
        this.core = core;
        this.snapshots = snapshots;
        this.checkpoints = checkpoints;
        this.trigger = trigger;
        this.position = recovery.checkpointPosition();
        this.bytes = recovery.checkpointBytes();
        this.olderPosition = checkpoints.list().stream()
                .mapToLong(Long::longValue)
                .filter(at -> at < position)
                .max()
                .orElse(0);
    }

    /** Whether one is due when the log ends at {@code end}. */
    boolean isDue(long end) {
        return trigger.isDue(end - position, bytes);
    }

    /** Writes a checkpoint; returns its length in bytes. */
    long write(Pace pace) throws IOException {
        try (StoreSnapshot snapshot = snapshots.open()) {
            if (snapshot.position() == position && bytes > 0) {
                return bytes;
            }
            begin();
            long startNs = System.nanoTime();
            long length = write(snapshot, pace);
            finish(snapshot.position(), length, System.nanoTime() - startNs);
            return length;
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    private long write(StoreSnapshot snapshot, Pace pace) throws IOException {
        long logId = core.log().logId();
        try (CheckpointWriter writer = checkpoints.create(logId, snapshot.position(), snapshot.sequence(), pace)) {
            IndexCursor cursor = snapshot.index().cursor();
            cursor.toStart();
            while (cursor.next()) {
                KeyBuffer key = cursor.key();
                writer.add(key.bytes(), key.length(), cursor.position(), cursor.length());
            }
            // What the checkpoint refers to must survive whatever the checkpoint does.
            core.writer().await(snapshot.position(), Durability.SYNCED, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            return writer.finish();
        }
    }

    private void begin() {
        core.lockAnyway();
        inProgress = true;
        startedAtMs = System.currentTimeMillis();
        core.unlock();
    }

    private void finish(long newPosition, long length, long tookNs) {
        core.lockAnyway();
        try {
            inProgress = false;
            written++;
            elapsedNs = tookNs;
            olderPosition = position;
            position = newPosition;
            bytes = length;
        } finally {
            core.unlock();
        }
        try {
            checkpoints.deleteOlder();
        } catch (IOException e) {
            note("older checkpoints cannot be deleted: " + e.getMessage()); // the next one tries again
        }
    }

    private void fail(Throwable e) {
        core.lockAnyway();
        inProgress = false;
        failures++;
        core.unlock();
        note(String.valueOf(e.getMessage()));
    }

    private void note(String failure) {
        core.lockAnyway();
        lastFailure = failure;
        core.unlock();
    }

    /** Where replay begins after a crash. Under the lock. */
    long position() {
        return position;
    }

    /** The newest one's length, 0 if there is none. */
    long bytes() {
        return bytes;
    }

    /** What lies below is replayed by nobody, whichever of the two checkpoints is used. */
    long olderPosition() {
        return olderPosition;
    }

    StoreStatistics.Checkpoint statistics() {
        return new StoreStatistics.Checkpoint(
                inProgress, written, failures, lastFailure, startedAtMs, elapsedNs, bytes, position);
    }
}
