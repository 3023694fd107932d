package io.persist;

import io.persist.error.Limits;
import io.persist.log.RecoveryReport;
import io.persist.monitor.LogStatistics;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.StoreStatistics;
import io.persist.store.StoreTuning;
import io.persist.store.core.StoreCore;
import io.persist.store.engine.StoreEngine;

/**
 * How a {@link StoreJournal} is looked after: checkpoints, compaction, settings, and numbers. Threads and errors are as
 * there.
 */
abstract sealed class TendedStore permits StoreJournal {

    final StoreEngine engine;
    final StoreCore core;

    TendedStore(StoreEngine engine) {
        this.engine = engine;
        this.core = engine.core();
    }

    /**
     * Writes a checkpoint now, as fast as the device allows, and returns when it is on the device.
     *
     * @return its length in bytes
     * @throws io.persist.error.LogIOException if the checkpoint cannot be written; the older ones stay
     * @throws io.persist.error.CorruptLogException if a node of the index was found to be damaged, now or before; the
     *     older checkpoints stay, and the next opening does without the damaged one
     */
    public long checkpoint() {
        return engine.upkeep().checkpoint();
    }

    /**
     * Writes a checkpoint now, as {@link #checkpoint()} does, but leaves the device to commits.
     *
     * @param bytesPerSecond the most that it writes, whatever {@link #tune} says, unless the index needs memory, or the
     *     store is being closed; from 1 MiB/s
     * @throws IllegalArgumentException if that is less
     */
    public long checkpoint(long bytesPerSecond) {
        Limits.check("bytesPerSecond", bytesPerSecond, 1 << 20, Long.MAX_VALUE);
        return engine.upkeep().checkpoint(bytesPerSecond);
    }

    /**
     * Compacts now, as fast as the device allows, until little is left to gain: until no segment would give 5 % of its
     * space back. What long values leave over at the ends of segments is not to be gained. It writes two checkpoints
     * for that, because only segments below both of them can be taken away, and more if the index needs the memory.
     * Segments below older ones that are empty go before. It returns early if the store is being closed.
     *
     * @param budgetBytes about the most bytes that are copied, from 0. With 0 none are: what is empty below the older
     *     checkpoints is given back, the two are written, and what is empty below these is for the next call
     * @return the number of bytes of the segments that were given back; what was needed of these takes space again at
     *     the end of the log. 0 if the store was compact, but for the segment that is being written to
     * @throws IllegalArgumentException if the budget is negative
     * @throws io.persist.error.LogFullException if there is no space for what has to be moved
     * @throws io.persist.error.IndexFullException if the index has no memory for that, also after a checkpoint
     * @throws io.persist.error.LogIOException if a checkpoint or a segment cannot be written; the store goes on. Also
     *     if one cannot be read, or the heap has no memory for a value of it: then the other segments were compacted,
     *     and this one is tried again
     * @throws io.persist.error.CorruptLogException as {@link #checkpoint()} does
     */
    public long compact(long budgetBytes) {
        Limits.check("budgetBytes", budgetBytes, 0, Long.MAX_VALUE);
        return engine.upkeep().compact(budgetBytes);
    }

    /**
     * Changes settings while the store runs, until it is closed; all of them at one moment.
     *
     * <ul>
     *   <li>If a checkpoint is due by the new {@code checkpointPercent} and {@code checkpointMinLogBytes}, the
     *       background thread begins it at once. One that is being written is finished.
     *   <li>{@code checkpointBytesPerSecond} holds for a checkpoint that is being written, and not for one by hand.
     *   <li>{@code syncInterval} holds for what is committed already, too: if the last sync is longer ago, one begins
     *       at once. The call flushes what is in a write buffer or a queue. With zero nothing is synced by time.
     * </ul>
     *
     * <p>Each call sets all settings: if two threads call this, those of the later call hold.
     *
     * @throws io.persist.error.LogIOException if the log fails, or has failed earlier
     */
    public void tune(StoreTuning tuning) {
        engine.tuner().tune(tuning);
    }

    /** What {@link #tune} has set last, or else the configuration. It can be called after the log has failed. */
    public StoreTuning tuning() {
        return engine.tuning();
    }

    /** What the store was opened with; {@link #tuning} has what has changed since. It never throws. */
    public StoreConfig config() {
        return core.config();
    }

    /** What opening the store found and did. It never throws. */
    public StoreRecovery recovery() {
        return engine.recovery();
    }

    /** What opening the store's log found and did, before that. It never throws. */
    public RecoveryReport logRecovery() {
        return core.log().recovery();
    }

    /** What the store's log has done since it was opened. It can be called after the store is closed. */
    public LogStatistics logStatistics() {
        return core.writer().statistics();
    }

    /** The store's numbers at this moment. It can be called after the log has failed. */
    public StoreStatistics statistics() {
        return engine.statistics();
    }
}
