package io.persist;

import io.persist.log.Durability;
import io.persist.log.LogStatistics;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.read.Tailer;
import io.persist.store.StoreRecovery;
import io.persist.store.StoreStatistics;
import io.persist.store.core.StoreCore;
import io.persist.store.engine.StoreEngine;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreSnapshot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What a {@link StoreLogger} does with its log besides reading and changing keys: positions, those who wait for them,
 * readers of changes, checkpoints, compaction, and the end.
 *
 * <p>A <b>position</b> is a byte address in the log. Those that commits return are the end of what was committed:
 * everything before is covered when {@link #await} says so.
 *
 * <p><b>Threads:</b> any.
 */
public abstract sealed class StoreJournal implements AutoCloseable permits StoreLogger {

    final StoreEngine engine;
    final StoreCore core;

    StoreJournal(StoreEngine engine) {
        this.engine = engine;
        this.core = engine.core();
    }

    /**
     * The changes from {@code position} on, which a commit or a snapshot has told, as far as they are committed and as
     * they come; 0 for all since the store was made. To be closed.
     *
     * @throws io.persist.error.RetiredException if compaction has taken some of them away: read the state by a {@link
     *     StoreLogger#snapshot}, and the changes from {@link StoreSnapshot#position} on
     */
    public ChangeReader changes(long position) {
        return engine.changes().open(position);
    }

    /**
     * The changes from where the reader {@code name} last called {@link ChangeReader#store}; a new one begins at the
     * oldest position from which all are there. To be closed. From now on compaction leaves what it has not read.
     */
    public ChangeReader changes(String name) {
        return engine.changes().open(name);
    }

    /** Makes everything committed FLUSHED. A flush does not imply a sync. */
    public void flush() {
        core.flush();
    }

    /** Makes everything committed SYNCED. */
    public void sync() {
        core.sync();
    }

    /** The end of the log, as far as it is committed. */
    public long position() {
        return engine.lookups().end();
    }

    /** The end of what survives the process. */
    public long flushedPosition() {
        return core.writer().flushedPosition();
    }

    /** The end of what survives a power cut. */
    public long syncedPosition() {
        return core.writer().syncedPosition();
    }

    /**
     * Waits until everything before {@code position} is safe at {@code level}. Attached, who waits for SYNCED and leads
     * a sync returns when the device has answered, whatever the time and interrupts.
     *
     * @param timeout any; a negative one is the same as zero
     * @return false if the time ran out first
     * @throws InterruptedException if the thread is interrupted, unless the position is there already; nothing else
     *     comes of that
     */
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        core.flush(); // what is in a write buffer
        return core.writer().await(position, level, timeout);
    }

    /**
     * A future that is completed with the end of what has {@code level} once everything before {@code position} has; a
     * sync is begun if need be. The thread that syncs completes it and must not be held up.
     *
     * @param level FLUSHED or SYNCED
     */
    public CompletableFuture<Long> reached(long position, Durability level) {
        core.flush(); // what is in a write buffer
        return core.writer().reached(position, level);
    }

    /** Has {@code listener} told each time more of the log has {@code level}, until the result is closed. */
    public Registration listen(Durability level, PositionListener listener) {
        return core.writer().listen(level, listener);
    }

    /** A reader of the log's records, which are transactions as the file format has them; to be closed. */
    public Tailer tailer() {
        return core.writer().tailer();
    }

    /**
     * Writes a checkpoint now, as fast as the device allows.
     *
     * @return its length, bytes
     * @throws io.persist.error.LogIOException if it cannot be written; the older ones stay, and so does the store
     */
    public long checkpoint() {
        return engine.upkeep().checkpoint();
    }

    /**
     * Compacts now, as fast as the device allows, until little is left to gain. It writes checkpoints first, since only
     * what lies below two of them can be touched.
     *
     * @param budgetBytes about the most that is copied
     * @return bytes given back
     * @throws io.persist.error.LogFullException if there is no space for what has to be moved
     * @throws io.persist.error.LogIOException if a checkpoint or a segment cannot be written; the store goes on
     */
    public long compact(long budgetBytes) {
        return engine.upkeep().compact(budgetBytes);
    }

    /** What opening the store found and did. */
    public StoreRecovery recovery() {
        return engine.recovery();
    }

    /** What opening the store's log found and did, before that. */
    public RecoveryReport logRecovery() {
        return core.log().recovery();
    }

    /** What the store's log has done since it was opened; also after the store is closed. */
    public LogStatistics logStatistics() {
        return core.writer().statistics();
    }

    /** The store's numbers at this moment, also if its log has failed. */
    public StoreStatistics statistics() {
        return engine.statistics();
    }

    /**
     * Makes everything committed SYNCED and closes the store. Open transactions are rolled back; open scans and
     * snapshots end. What was read stays what it is.
     *
     * @throws io.persist.error.LogIOException if the log has failed, now or earlier; all is closed nevertheless
     */
    @Override
    public void close() {
        engine.close();
    }
}
