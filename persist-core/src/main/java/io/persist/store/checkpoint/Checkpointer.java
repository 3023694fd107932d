package io.persist.store.checkpoint;

import io.persist.index.IndexCursor;
import io.persist.index.node.KeyBuffer;
import io.persist.log.thread.Pace;
import io.persist.store.StoreRecovery;
import io.persist.store.StoreStatistics;
import io.persist.store.core.StoreCore;
import io.persist.store.read.Snapshots;
import io.persist.store.read.StoreSnapshot;
import java.io.IOException;

/**
 * Writes checkpoints, while commits go on. A checkpoint gets its name only when it is whole and everything that it
 * refers to is synced; until then the checkpoints before it are untouched. So a checkpoint that fails has only cost
 * time.
 *
 * <p>It is fuzzy: each stretch of keys is as it was at a moment of its own, at or after the checkpoint's position.
 * Replay from that position on corrects all of it, because the last change of a key wins. So no snapshot has to be kept
 * open for long; it would copy what changes meanwhile, up to the whole index.
 *
 * <p><b>Threads:</b> one at a time; the numbers are for the thread that has the store's lock.
 */
public final class Checkpointer {

    /** A snapshot is open for this many keys: some milliseconds at the usual rate. */
    private static final int KEYS_PER_SNAPSHOT = 4096;

    private final StoreCore core;
    private final Snapshots snapshots;
    private final Checkpoints checkpoints;
    private final CheckpointTrigger trigger;

    private long position;
    private long bytes;

    /**
     * The position of the checkpoint before the newest one, 0 if there is none: no recovery replays what lies below.
     */
    private long olderPosition;

    private boolean inProgress;
    private long written;
    private long failures;
    private long startedAtMs;
    private long elapsedNs;
    private String lastFailure = "";

    /** Goes on from the checkpoint that {@code recovery} has used. */
    public Checkpointer(
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
    public boolean isDue(long end) {
        return trigger.isDue(end - position, bytes);
    }

    /** Writes a checkpoint; returns its length in bytes. */
    public long write(Pace pace) throws IOException {
        try {
            long from;
            long sequence;
            core.lock();
            try {
                from = core.appliedEnd();
                sequence = core.appliedSequence();
            } finally {
                core.unlock();
            }
            if (from == position && bytes > 0) {
                return bytes;
            }
            begin();
            long startNs = System.nanoTime();
            long length = write(from, sequence, pace);
            finish(from, length, System.nanoTime() - startNs);
            return length;
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    private long write(long from, long sequence, Pace pace) throws IOException {
        try (CheckpointWriter writer = checkpoints.create(core.log().logId(), from, sequence, pace)) {
            KeyBuffer last = new KeyBuffer();
            boolean hasMore = true;
            while (hasMore) {
                hasMore = writeSome(writer, last);
            }
            // What the checkpoint refers to must survive whatever the checkpoint does.
            core.sync();
            return writer.finish();
        }
    }

    /** Writes keys behind {@code last}, which becomes the last of them; returns whether there may be more. */
    private boolean writeSome(CheckpointWriter writer, KeyBuffer last) throws IOException {
        try (StoreSnapshot snapshot = snapshots.open()) {
            IndexCursor cursor = Snapshots.cursor(snapshot);
            if (last.length() > 0) {
                cursor.to(last);
            }
            for (int count = 0; count < KEYS_PER_SNAPSHOT; ) {
                if (!cursor.next()) {
                    return false;
                }
                KeyBuffer key = cursor.key();
                if (key.compareTo(last) != 0) {
                    writer.add(key.bytes(), key.length(), cursor.position(), cursor.length());
                    last.copyFrom(key);
                    count++;
                }
            }
            return true;
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
    public long position() {
        return position;
    }

    /** The newest one's length, 0 if there is none. */
    public long bytes() {
        return bytes;
    }

    /** No recovery replays what lies below, whichever of the two checkpoints it uses. */
    public long olderPosition() {
        return olderPosition;
    }

    /** How far the checkpoints of this store are. Any thread may call it. */
    public StoreStatistics.Checkpoint statistics() {
        return new StoreStatistics.Checkpoint(
                inProgress, written, failures, lastFailure, startedAtMs, elapsedNs, bytes, position);
    }
}
