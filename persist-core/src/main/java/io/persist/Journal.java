package io.persist;

import io.persist.log.Durability;
import io.persist.log.LogStatistics;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.LogWriter;
import io.persist.log.read.Tailer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What loggers of records have in common: commits, positions, those who wait for them, readers, and retention.
 *
 * <p>A <b>position</b> is a byte address in the log. Those that appends and commits return are the end of what was
 * written: everything before is covered when {@link #await} says so.
 *
 * <p>Each logger says which threads may do what.
 */
public abstract sealed class Journal implements AutoCloseable permits MessageLogger, PacketLogger {

    /** Attached or detached. */
    final LogWriter log;

    private final Durability durability;

    /** {@code durability} is what a commit waits for that does not say it. */
    Journal(LogWriter log, Durability durability) {
        this.log = log;
        this.durability = durability;
    }

    /**
     * Ends a commit, which readers see as a boundary, and waits for the configured durability.
     *
     * @return the position up to which the log is committed
     */
    public long commit() {
        return log.commit(durability);
    }

    /** Ends a commit and waits for {@code level}, however long that takes; an interrupt is kept for later. */
    public long commit(Durability level) {
        return log.commit(level);
    }

    /**
     * Ends a commit and waits at most so long for {@code level}. It is another thread that forces the device, so that a
     * device that hangs does not hold up this one; attached, a write to the file is still this thread's, which with the
     * file modes {@code RWD} and {@code RWS} waits for the device. An interrupt is kept for later.
     *
     * @param timeout any; a negative one is the same as zero
     * @return the position up to which the log is committed
     * @throws io.persist.error.CommitTimeoutException if the time ran out first. The commit was made all the same, and
     *     the log goes on: the exception has the position, to {@link #await} the level
     */
    public long commit(Durability level, Duration timeout) {
        return log.commit(level, timeout);
    }

    /**
     * Ends a commit that has to be SYNCED at most {@code maxDelay} from now, and does not wait for that. A background
     * thread syncs as seldom as the commits' times allow, and early enough for the device as it has been lately.
     *
     * @param maxDelay 0 to a day
     */
    public long commitWithin(Duration maxDelay) {
        return log.commitWithin(maxDelay);
    }

    /** Makes everything appended FLUSHED. A flush does not imply a sync. */
    public void flush() {
        log.flush();
    }

    /** Makes everything appended SYNCED. */
    public void sync() {
        log.sync();
    }

    /**
     * The calling thread gives the attached logger up, which belongs to the thread that uses it first: the next thread
     * that calls has it, and finds all that this one has done. No claim may be open. A thread that ends hands over by
     * that. Detached, and under the lock of a {@link io.persist.log.LogConfig#guard}, it does nothing.
     *
     * @throws IllegalStateException if the logger belongs to another thread
     */
    public void handOver() {
        log.handOver();
    }

    /** The end of the log. */
    public long position() {
        return log.position();
    }

    /** The end of what is committed. */
    public long committedPosition() {
        return log.committedPosition();
    }

    /** The end of what survives the process. */
    public long flushedPosition() {
        return log.flushedPosition();
    }

    /** The end of what survives a power cut. */
    public long syncedPosition() {
        return log.syncedPosition();
    }

    /** The number of the last record, 0 if there is none; the appending thread's. */
    public long lastSequence() {
        return log.lastSequence();
    }

    /** Where the last record begins, for {@link Tailer#toPosition}; 0 if there is none; the appending thread's. */
    public long lastPosition() {
        return log.lastPosition();
    }

    /**
     * Waits until everything before {@code position} is safe at {@code level}. Threads that wait for SYNCED share one
     * sync. Attached, in {@code FILE} mode, what is in the write buffer is flushed only by the appending thread, so
     * that another one waits for its next flush. Attached, who waits for SYNCED and leads a sync returns when the
     * device has answered, whatever the time and interrupts.
     *
     * @param timeout any; a negative one is the same as zero
     * @return false if the time ran out first
     * @throws InterruptedException if the thread is interrupted, unless the position is there already; nothing else
     *     comes of that
     */
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        return log.await(position, level, timeout);
    }

    /**
     * A future that is completed with the end of what has {@code level} once everything before {@code position} has; a
     * sync is begun if need be. It is completed by the thread that syncs, which must not be held up: use the methods
     * that end in {@code Async}.
     *
     * @param level FLUSHED or SYNCED
     */
    public CompletableFuture<Long> reached(long position, Durability level) {
        return log.reached(position, level);
    }

    /**
     * Has {@code listener} told each time more of the log has {@code level}, until the result is closed. An attached
     * logger tells FLUSHED with each commit of that level, flush and sync. It may not be told of what happens during
     * this call: register first, then look at the position.
     *
     * @param level FLUSHED or SYNCED
     */
    public Registration listen(Durability level, PositionListener listener) {
        return log.listen(level, listener);
    }

    /** A new reader at the start of the log; to be closed. */
    public Tailer tailer() {
        return log.tailer();
    }

    /**
     * The reader with the cursor {@code name}: where it last called {@link Tailer#store}, or at the start of the log if
     * there is no such cursor yet; to be closed. {@link Tailer#open(io.persist.log.LogConfig, String)} says what can go
     * wrong.
     */
    public Tailer tailer(String name) {
        return log.tailer(name);
    }

    /** What {@code rule} would take away now: a dry run. */
    public RetentionPlan planRetention(RetentionRule rule) {
        return log.planRetention(rule);
    }

    /** Takes away what {@code plan} says. */
    public void retire(RetentionPlan plan, Retirement retirement) {
        log.retire(plan, retirement);
    }

    /** What opening the log found and did. */
    public RecoveryReport recovery() {
        return log.recovery();
    }

    /** What the log has done since it was opened. */
    public LogStatistics statistics() {
        return log.statistics();
    }

    /**
     * Makes everything appended SYNCED and closes the log. Tailers stay usable. Any thread may close it, as a shutdown
     * hook does: it waits until a thread that is within a call has left that, and the next one throws.
     *
     * @throws IllegalStateException if it is called by a listener, or the step of a future, in the middle of a call of
     *     this log, or on a thread of its own; the log stays open
     * @throws io.persist.error.LogIOException if the log has failed, now or earlier; all is closed nevertheless
     */
    @Override
    public void close() {
        log.close();
    }
}
