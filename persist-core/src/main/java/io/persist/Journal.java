package io.persist;

import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.LogWriter;
import java.time.Duration;
import java.util.Objects;

/**
 * What loggers of records have in common: commits, positions, waiting for positions, readers, and retention. Here is
 * what writes, in {@link SharedJournal} what any thread may call.
 *
 * <p>A <b>position</b> is a byte address in the log. An append and a commit return the position where what was written
 * ends. When {@link #await} returns true for that position, everything before it is safe.
 *
 * <p><b>Threads:</b> {@link MessageLogger} has the rules of all loggers. In this class <i>the owner</i> is the thread
 * that may append: attached one thread at a time, detached any thread.
 *
 * <p><b>Errors:</b> a method that writes, or waits for a write, throws an {@link IllegalStateException} if the logger
 * is closed, or if the calling thread is not the owner; and if a listener, or the step of a future, calls it: attached
 * in the middle of a call of the log, or on its background thread; detached on a thread of the log's own, and only if
 * it would wait. After the log has failed it throws the first {@link io.persist.error.LogIOException} again.
 */
public abstract sealed class Journal extends SharedJournal implements AutoCloseable
        permits MessageLogger, PacketLogger {

    private final LogConfig config;

    Journal(LogWriter log, LogConfig config) {
        super(log);
        this.config = config;
    }

    /** What the log was opened with. Any thread may call it, also after {@link #close}. */
    public LogConfig config() {
        return config;
    }

    /**
     * Ends a commit and waits for the configured durability, as {@link #commit(Durability)} does.
     *
     * @return the position up to which the log is committed
     */
    public long commit() {
        return log.commit(config.durability());
    }

    /**
     * Ends a commit, which readers see as a boundary, and waits until it has {@code level}, however long that takes.
     * The owner calls it. An interrupt does not end the wait; the thread's interrupt flag is set again afterwards.
     *
     * @return the position up to which the log is committed
     * @throws io.persist.error.LogIOException if a write or a sync fails, or has failed earlier. Whether the commit
     *     survives is known only when the log is opened again
     * @throws io.persist.error.LogFullException detached only: if the disk is full, so that records wait in the queue.
     *     They are written as soon as there is space; a {@code LogIOException} likewise, if no segment can be made
     * @throws IllegalStateException as the class says, or, attached, if a claim is open
     */
    public long commit(Durability level) {
        return log.commit(Objects.requireNonNull(level, "level"));
    }

    /**
     * Ends a commit and waits at most {@code timeout} for {@code level}. Another thread forces the device, so a device
     * that hangs does not hold up this thread. Attached, this thread still writes to the file; with the file modes
     * {@code RWD} and {@code RWS} that write waits for the device. An interrupt does not end the wait.
     *
     * @param timeout any; a negative one is the same as zero
     * @return the position up to which the log is committed
     * @throws io.persist.error.CommitTimeoutException if the time ran out first. The commit was made all the same, and
     *     the log goes on: call {@link #await} with the exception's position to wait for the level
     * @throws io.persist.error.LogIOException as {@link #commit(Durability)} does
     * @throws io.persist.error.LogFullException as {@link #commit(Durability)} does
     * @throws IllegalStateException as {@link #commit(Durability)} does
     */
    public long commit(Durability level, Duration timeout) {
        Objects.requireNonNull(level, "level");
        return log.commit(level, Objects.requireNonNull(timeout, "timeout"));
    }

    /**
     * Ends a commit that has to be SYNCED at most {@code maxDelay} from now, and does not wait for the sync. A
     * background thread syncs as seldom as the delays of all commits allow, and the configured intervals. It begins
     * early enough for the speed that the device had lately.
     *
     * @param maxDelay 0 or more; more than a day counts as a day
     * @return the position up to which the log is committed
     * @throws IllegalArgumentException if {@code maxDelay} is negative
     * @throws io.persist.error.LogIOException if a write fails, or the log has failed earlier; a sync that fails later
     *     is thrown by the next call
     * @throws io.persist.error.LogFullException as {@link #commit(Durability)} does
     * @throws IllegalStateException as {@link #commit(Durability)} does
     */
    public long commitWithin(Duration maxDelay) {
        return log.commitWithin(Objects.requireNonNull(maxDelay, "maxDelay"));
    }

    /**
     * Makes everything appended FLUSHED, without ending a commit. A flush does not imply a sync. The owner calls it.
     *
     * @throws io.persist.error.LogIOException if a write fails, or the log has failed earlier
     * @throws io.persist.error.LogFullException as {@link #commit(Durability)} does
     * @throws IllegalStateException as {@link #commit(Durability)} does
     */
    public void flush() {
        log.flush();
    }

    /**
     * Makes everything appended SYNCED, without ending a commit. The owner calls it. No interrupt ends the wait.
     *
     * @throws io.persist.error.LogIOException if a write or a sync fails, or the log has failed earlier
     * @throws io.persist.error.LogFullException as {@link #commit(Durability)} does
     * @throws IllegalStateException as {@link #commit(Durability)} does
     */
    public void sync() {
        log.sync();
    }

    /**
     * Ends the segment that is being written, full or not, and goes on in the next one: so retention and archives can
     * have what was written by now, as at the end of a day. It does nothing if the segment has no record. The owner
     * calls it. No commit ends, and nothing is flushed or synced: a later sync or commit covers the segment's end too.
     * The file keeps its length. Attached, the call may wait until that is filled; detached, the end of a segment goes
     * through the queue as a record does.
     *
     * @return where the segment begins in which the log goes on: all that was appended before ends below that
     * @throws io.persist.error.LogFullException if there is no space for another segment; nothing was changed
     * @throws io.persist.error.QueueFullException detached only: if the queue stays full; nothing was changed
     * @throws io.persist.error.LogIOException if a write fails, or the log has failed earlier
     * @throws IllegalStateException as {@link #commit(Durability)} does
     */
    public long roll() {
        return log.roll() - SegmentHeader.LENGTH; // else no sync would come there before another record does
    }

    /**
     * Ends the calling thread's ownership of an attached logger. The next thread that calls becomes the owner, and
     * finds all that this thread has done. A thread that ends hands over, too. Detached, and under the lock of a {@link
     * io.persist.log.LogConfig#guard}, this method does nothing.
     *
     * @throws IllegalStateException if the logger belongs to another thread or is closed, or a claim is open
     * @throws io.persist.error.LogIOException if the log has failed
     */
    public void handOver() {
        log.handOver();
    }

    /**
     * Makes everything appended SYNCED and closes the log. Tailers stay usable. Any thread may call it, a shutdown hook
     * too: it waits until other threads have left their calls. Later calls throw, unless they say otherwise.
     *
     * @throws IllegalStateException if a listener, or the step of a future, calls it in the middle of a call of this
     *     log, or on one of the log's own threads; the log stays open
     * @throws io.persist.error.LogIOException if the log fails, or has failed earlier; all is closed nevertheless
     * @throws io.persist.error.LogFullException detached only: if accepted records could not be written, because the
     *     disk is full, or a {@code LogIOException} if no segment can be made; all is closed nevertheless
     */
    @Override
    public void close() {
        log.close();
    }
}
