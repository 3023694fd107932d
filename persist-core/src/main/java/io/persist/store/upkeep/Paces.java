package io.persist.store.upkeep;

import io.persist.index.KeyIndex;
import io.persist.log.thread.Pace;
import io.persist.log.thread.Throttle;
import io.persist.store.StoreConfig;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.StoreCore;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * How fast a store's upkeep works, told block by block what it has cost.
 *
 * <p><b>Threads:</b> the one that works; any changes the rate of checkpoints.
 */
final class Paces {

    /** How often it looks whether a rate has to be another one. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final StoreCore core;
    private final Checkpointer checkpointer;
    private final Compactor compactor;
    private final Chores chores;
    private final Throttle checkpoints;
    private final Throttle compaction;
    private long lookedNs = System.nanoTime() - LOOK_NS;

    /** How many times as fast as their rate checkpoints are written in the background. */
    private double hurry = 1;

    /** Whether memory waits for a checkpoint. */
    private boolean isUrgent;

    /** With the configured rates until {@code chores} are closing, and as fast as it can until they are stopping. */
    Paces(StoreCore core, Checkpointer checkpointer, Compactor compactor, Chores chores) {
        StoreConfig config = core.config();
        this.core = core;
        this.checkpointer = checkpointer;
        this.compactor = compactor;
        this.chores = chores;
        this.checkpoints = new Throttle(config.checkpointBytesPerSecond(), this::isCheckpointFree);
        this.compaction = new Throttle(config.compactionBytesPerSecond(), this::isCompactionFree);
    }

    /** Changes the rate of checkpoints, of one that is being written too. */
    void checkpointRate(long bytesPerSecond) {
        checkpoints.bytesPerSecond(bytesPerSecond);
    }

    /** To ask takes the store's lock, for which commits wait. */
    private boolean isTimeToLook() {
        long now = System.nanoTime();
        boolean isTime = now - lookedNs >= LOOK_NS;
        if (isTime) {
            lookedNs = now;
        }
        return isTime;
    }

    private void lookAtCheckpoint() {
        if (isTimeToLook()) {
            core.lockedAnyway(
                    () -> { // an exception thrown in the middle of a wait would lose an interrupt
                        isUrgent = checkpointer.isUrgent();
                        hurry = compactor.hurry();
                    });
        }
    }

    private void lookAtCompaction() {
        if (isTimeToLook()) {
            core.lockedAnyway(
                    () -> { // as above
                        isUrgent = checkpointer.isUrgent();
                        compaction.bytesPerSecond(compactor.bytesPerSecond());
                    });
        }
    }

    /** Whether a thread waits for a checkpoint to end, which closes the store or needs memory: then no rate counts. */
    private boolean isCheckpointFree() {
        lookAtCheckpoint();
        return isUrgent || chores.isClosing();
    }

    /** Whether a thread waits for compaction to be interrupted, which it is at the end of a step. */
    private boolean isCompactionFree() {
        lookAtCompaction();
        return isUrgent || chores.isAwaited() || chores.isClosing();
    }

    /** Of a checkpoint in the background: at its rate, unless somebody waits for it; faster if compaction does. */
    void ofCheckpoint(long bytes) throws IOException {
        unbounded(bytes);
        core.checkUsable();
        lookAtCheckpoint();
        checkpoints.spend((long) (bytes / hurry));
    }

    /** Of compaction in the background: at the rate that it has to have now. */
    void ofCompaction(long bytes) throws IOException {
        unbounded(bytes);
        core.checkUsable();
        compaction.spend(bytes);
    }

    /** Of a checkpoint at a rate of its own, unless somebody waits for it. */
    Pace bounded(long bytesPerSecond) {
        Throttle rate = new Throttle(bytesPerSecond, this::isCheckpointFree);
        return bytes -> {
            unbounded(bytes);
            rate.spend(bytes);
        };
    }

    /** Without a rate; ends the work once the store is closed. */
    void unbounded(long bytes) throws IOException {
        if (chores.isStopping()) {
            throw new IOException("store is being closed");
        }
        tendMemory(); // however long the work takes
    }

    /** Gets memory ahead for the index, and gives some back if other indexes need it. */
    void tendMemory() {
        KeyIndex index = core.state().index();
        index.addSpare();
        while (index.frames().isWanted() && core.readAnyway(index::giveChunkBack)) {
            // goes on: others may use the store in between
        }
    }
}
