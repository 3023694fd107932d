package io.persist;

import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.Registration;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.store.engine.StoreEngine;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.upkeep.Compactor;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * What a {@link StoreLogger} does besides reading and changing keys: positions, waiting for positions, readers of
 * changes, checkpoints, compaction, and close.
 *
 * <p>A <b>position</b> is a byte address in the log. A commit returns the position where the committed transaction
 * ends. When {@link #await} returns true for that position, everything before it is safe.
 *
 * <p><b>Threads:</b> any thread may call every method.
 *
 * <p><b>Errors:</b> each method throws an {@link IllegalStateException} if the store is closed, or if it is called by a
 * listener in the middle of a call. It throws the first {@link io.persist.error.LogIOException} again after the log has
 * failed, unless the method says otherwise.
 */
public abstract sealed class StoreJournal extends TendedStore implements AutoCloseable permits StoreOperations {

    StoreJournal(StoreEngine engine) {
        super(engine);
    }

    /**
     * Opens a reader of the committed changes from {@code position} on, which the caller has to close. The reader shows
     * later changes as they are committed. Another process opens one by {@link ChangeReader#open}.
     *
     * @param position one that a commit or a snapshot has returned; 0 for all changes since the store was made
     * @throws io.persist.error.RetiredException if compaction has taken some of them away: read the state by a {@link
     *     StoreLogger#snapshot}, and the changes from {@link StoreSnapshot#position} on
     * @throws IllegalArgumentException if {@code position} is negative, or no transaction ends there, which may also be
     *     because the log has gone back, by a power cut or a restored backup
     */
    public ChangeReader changes(long position) {
        return changes(position, TailerConfig.defaults());
    }

    /** The changes from {@code position} on, as {@link #changes(long)} has them, read as {@code config} says. */
    public ChangeReader changes(long position, TailerConfig config) {
        return engine.changes().open(position, config);
    }

    /**
     * Opens the reader {@code name} of the committed changes, which the caller has to close. It begins where it last
     * called {@link ChangeReader#store}; a new reader begins at the oldest position from which all changes are there.
     * From now on compaction leaves the changes that this reader has not read; {@link
     * io.persist.log.read.LogCursors#register} has it do so before there is a reader.
     *
     * @param name as {@link Tailer#open(java.nio.file.Path, String)} has it, which also says what is thrown
     */
    public ChangeReader changes(String name) {
        return changes(name, TailerConfig.defaults());
    }

    /** The changes for the reader {@code name}, as {@link #changes(String)} has them, read as {@code config} says. */
    public ChangeReader changes(String name, TailerConfig config) {
        return engine.changes().open(name, config);
    }

    /**
     * Opens the reader {@code name} of the committed changes from {@code position} on, for a consumer that keeps with
     * its results how far they have come, as {@link ChangeReader#open(java.nio.file.Path, String, long, TailerConfig)}
     * has it.
     */
    public ChangeReader changes(String name, long position, TailerConfig config) {
        return engine.changes().open(name, position, config);
    }

    /**
     * Makes everything committed FLUSHED. A flush does not imply a sync.
     *
     * @throws io.persist.error.LogIOException if a write fails, or the log has failed earlier
     * @throws io.persist.error.LogFullException detached only: if the disk is full, so that transactions wait in the
     *     queue; a {@code LogIOException} likewise, if no segment can be made
     */
    public void flush() {
        core.flushes().flush();
    }

    /**
     * Makes everything committed SYNCED. An interrupt does not end the wait.
     *
     * @throws io.persist.error.LogIOException if a write or a sync fails, or the log has failed earlier
     * @throws io.persist.error.LogFullException as {@link #flush} does
     */
    public void sync() {
        core.flushes().sync();
    }

    /**
     * Ends the segment that is being written, and goes on in the next one: once what is committed by now is synced, and
     * two checkpoints are behind it, compaction can take away all segments below. It does nothing if nothing was
     * committed since the last call. Open transactions go on. It neither flushes nor syncs: {@link #sync} or a later
     * commit does. What {@link Journal#roll} says of the segment's space holds here too.
     *
     * @return where the log is committed up to: what was committed before the call is in segments that end before it
     * @throws io.persist.error.LogFullException if there is no space for it; the store goes on. Likewise, detached, a
     *     {@code QueueFullException} if the queue stays full
     */
    public long roll() {
        return engine.segmentEnd().roll();
    }

    /** The log's id: see {@link Tailer#logId}. Any thread may call it. */
    public long logId() {
        return core.writer().logId();
    }

    /** The end of the log, as far as it is committed. After {@link #close} {@link #syncedPosition} tells it. */
    public long position() {
        return engine.lookups().end();
    }

    /** Detached, where the log will end once all that is in the queue is written; else the {@link #position}. */
    public long acceptedPosition() {
        return core.writer().acceptedPosition();
    }

    /** Whether the log has failed, and takes no more until it is opened anew. Any thread may call it, at any time. */
    public boolean hasFailed() {
        return core.writer().hasFailed();
    }

    /** The end of what is FLUSHED: everything before it survives the process. It never throws. */
    public long flushedPosition() {
        return core.writer().flushedPosition();
    }

    /** The end of what is SYNCED: everything before it survives a power cut. It never throws. */
    public long syncedPosition() {
        return core.writer().syncedPosition();
    }

    /**
     * Waits until everything before {@code position} has {@code level}. Attached, a thread that leads a sync returns
     * when the device has answered, even if the time is over or the thread is interrupted.
     *
     * @param timeout any; a negative one is the same as zero
     * @return false if the time ran out first
     * @throws InterruptedException if the thread is interrupted before that; the store is unchanged
     * @throws io.persist.error.LogIOException if the log fails, or has failed earlier
     * @throws io.persist.error.LogFullException as {@link #flush} does
     */
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(timeout, "timeout");
        core.flushes().flushBuffer();
        return core.writer().await(position, level, timeout);
    }

    /**
     * Returns a future that is completed when everything before {@code position} has {@code level}; its value is the
     * end of what has the level then. For SYNCED a sync is begun if none will come, of what has been committed by now:
     * for what comes later the future waits until another call asks for that. Attached, FLUSHED of what comes later
     * waits for a flush, sync, or commit of that level: a commit BUFFERED completes no future. The thread that does
     * must not be held up: use the methods that end in {@code Async}. If the log fails or is closed first, the future
     * is completed with that exception.
     *
     * @param level FLUSHED or SYNCED
     * @throws IllegalArgumentException if {@code level} is BUFFERED
     */
    public CompletableFuture<Long> reached(long position, Durability level) {
        core.flushes().flushBuffer();
        return core.writer().reached(position, level);
    }

    /**
     * Calls {@code listener} each time more of the log has {@code level}, until the result is closed.
     *
     * @param level FLUSHED or SYNCED
     * @throws IllegalArgumentException if {@code level} is BUFFERED
     */
    public Registration listen(Durability level, PositionListener listener) {
        return core.writer().listen(level, listener);
    }

    /** A reader of the log's records, which are encoded transactions; the caller has to close it. */
    public Tailer tailer() {
        return tailer(TailerConfig.defaults());
    }

    /** A reader of the log's records that reads as {@code config} says; to be closed. */
    public Tailer tailer(TailerConfig config) {
        return core.writer().tailer(config);
    }

    /**
     * Erases the values that were removed or replaced before the call: as {@link #roll} and then {@link #compact} do,
     * but every segment before the position that it returns is given back. It copies all live bytes. A segment that a
     * reader still needs goes once it does not, and one that is damaged stays: all are gone if {@link #statistics}
     * tells of none that is waiting, damaged or unmovable. Of keys something may be left in checkpoints.
     *
     * @return the position before which all is given back but these
     * @throws IllegalStateException if the store is closed meanwhile, or was: not everything may be gone
     * @throws io.persist.error.LogIOException if the log fails, or a segment cannot be read or given back: not
     *     everything is gone. Call it again when the cause is removed
     */
    public long rewrite() {
        long end = roll();
        engine.upkeep().compact(Compactor.ALL);
        return end;
    }

    /**
     * Makes everything committed SYNCED and closes the store. Open transactions are rolled back; open scans and
     * snapshots end. Values that were read stay as they are. A second thread that closes it returns when all is closed.
     *
     * @throws IllegalStateException in a listener or the step of a future, if this would wait for its end; nothing ends
     * @throws io.persist.error.LogIOException if the log fails, or has failed earlier; all is closed nevertheless
     * @throws io.persist.error.LogFullException detached only: if committed transactions could not be written, because
     *     the disk is full, or a {@code LogIOException} if no segment can be made; all is closed nevertheless
     */
    @Override
    public void close() {
        engine.close();
    }
}
