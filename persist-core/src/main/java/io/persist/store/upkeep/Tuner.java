package io.persist.store.upkeep;

import static java.util.Objects.requireNonNull;

import io.persist.format.control.CounterBlock;
import io.persist.format.control.StoreFigure;
import io.persist.store.StoreTuning;
import io.persist.store.checkpoint.CheckpointTrigger;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.StoreCore;

/**
 * Changes the settings of a store that runs, and tells other processes which it has.
 *
 * <p><b>Threads:</b> any.
 */
public final class Tuner {

    private final StoreCore core;
    private final Checkpointer checkpointer;
    private final Upkeep upkeep;

    /** Under the store's lock. */
    private StoreTuning tuning;

    /** Begins with what the store's configuration says, which {@code checkpointer} and {@code upkeep} have already. */
    public Tuner(StoreCore core, Checkpointer checkpointer, Upkeep upkeep) {
        this.core = core;
        this.checkpointer = checkpointer;
        this.upkeep = upkeep;
        this.tuning = StoreTuning.of(core.config());
        tell();
    }

    /** What is set now. Under the lock. */
    public StoreTuning tuning() {
        return tuning;
    }

    /** As {@code StoreLogger.tune} says. */
    public void tune(StoreTuning wanted) {
        requireNonNull(wanted, "tuning");
        core.locked(() -> {
            tuning = wanted;
            checkpointer.trigger(new CheckpointTrigger(wanted.checkpointPercent(), wanted.checkpointMinLogBytes()));
            upkeep.checkpointRate(wanted.checkpointBytesPerSecond());
            core.log().completion().syncInterval(wanted.syncInterval());
            tell();
            upkeep.lookAgain();
        });
        if (!wanted.syncInterval().isZero()) {
            core.flushes().flush(); // what was committed before: the background thread syncs only what is flushed
        }
    }

    private void tell() {
        CounterBlock figures = core.log().counters();
        figures.set(StoreFigure.CHECKPOINT_PERCENT, tuning.checkpointPercent());
        figures.set(StoreFigure.CHECKPOINT_MIN_LOG_BYTES, tuning.checkpointMinLogBytes());
        figures.set(StoreFigure.SYNC_INTERVAL_NS, tuning.syncInterval().toNanos());
        figures.set(StoreFigure.CHECKPOINT_BYTES_PER_SECOND, tuning.checkpointBytesPerSecond());
    }
}
