package io.persist.store.upkeep;

import io.persist.log.thread.Pace;
import io.persist.log.thread.Throttle;
import io.persist.store.StoreConfig;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.StoreCore;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

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
    private final BooleanSupplier isStopping;
    private final Throttle checkpoints;
    private final Throttle compaction;
    private long lookedNs = System.nanoTime() - LOOK_NS;

    /** How many times as fast as their rate checkpoints are written. */
    private double hurry = 1;

    /** With the configured rates, until {@code isStopping}. */
    Paces(StoreCore core, Checkpointer checkpointer, Compactor compactor, BooleanSupplier isStopping) {
        StoreConfig config = core.config();
        this.core = core;
        this.checkpointer = checkpointer;
        this.compactor = compactor;
        this.isStopping = isStopping;
        this.checkpoints = new Throttle(config.checkpointBytesPerSecond(), isStopping);
        this.compaction = new Throttle(config.compactionBytesPerSecond(), isStopping);
    }

    /** Changes the rate of checkpoints, of one that is being written too. */
    void checkpointRate(long bytesPerSecond) {
        checkpoints.bytesPerSecond(bytesPerSecond);
    }

    long checkpointRate() {
        return checkpoints.bytesPerSecond();
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

    /** Of a checkpoint in the background: at its rate, unless memory waits for it; faster if compaction does. */
    void ofCheckpoint(long bytes) throws IOException {
        unbounded(bytes);
        if (isTimeToLook()) {
            core.lock();
            try {
                hurry = checkpointer.isUrgent() ? Double.POSITIVE_INFINITY : compactor.hurry();
            } finally {
                core.unlock();
            }
        }
        checkpoints.spend((long) (bytes / hurry));
    }

    /** Of compaction in the background: at the rate that it has to have now. */
    void ofCompaction(long bytes) throws IOException {
        unbounded(bytes);
        if (isTimeToLook()) {
            core.lock();
            try {
                compaction.bytesPerSecond(compactor.bytesPerSecond());
            } finally {
                core.unlock();
            }
        }
        compaction.spend(bytes);
    }

    /** At a rate of its own. */
    Pace bounded(long bytesPerSecond) {
        Throttle rate = new Throttle(bytesPerSecond, isStopping);
        return bytes -> {
            unbounded(bytes);
            rate.spend(bytes);
        };
    }

    /** Without a rate; ends the work once the store is being closed. */
    void unbounded(long bytes) throws IOException {
        if (isStopping.getAsBoolean()) {
            throw new IOException("store is being closed");
        }
        addSpare();
    }

    /** Allocates memory for the index ahead, if it seems to be needed soon. Without the store's lock. */
    void addSpare() {
        if (core.state().index().needsSpare()) {
            core.state().index().addSpare();
        }
    }
}
