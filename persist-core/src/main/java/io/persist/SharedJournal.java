package io.persist;

import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.LogWriter;
import io.persist.log.read.Tailer;
import io.persist.monitor.LogStatistics;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** What any thread may call of a {@link Journal}, attached or detached, whichever thread appends. */
abstract sealed class SharedJournal permits Journal {

    /** Attached or detached. */
    final LogWriter log;

    SharedJournal(LogWriter log) {
        this.log = log;
    }

    /**
     * The end of the log: the position after the last record. Any thread may call it, also after {@link Journal#close}.
     * Detached, the queue may hold more records: await what {@code append} or {@code commit} returned, never this.
     */
    public long position() {
        return log.position();
    }

    /** Detached, where the log will end once all that is in the queue is written; else the {@link #position}. */
    public long acceptedPosition() {
        return log.acceptedPosition();
    }

    /** Whether the log has failed, and takes no more until it is opened anew. Any thread may call it, at any time. */
    public boolean hasFailed() {
        return log.hasFailed();
    }

    /** The end of what is committed; detached, it may be below what {@code commit} returned. Any thread may call it. */
    public long committedPosition() {
        return log.committedPosition();
    }

    /** The end of what is FLUSHED: everything before it survives the process. Any thread may call it. */
    public long flushedPosition() {
        return log.flushedPosition();
    }

    /** The end of what is SYNCED: everything before it survives a power cut. Any thread may call it. */
    public long syncedPosition() {
        return log.syncedPosition();
    }

    /** The log's id: see {@link Tailer#logId}. Any thread may call it, also after {@link Journal#close}. */
    public long logId() {
        return log.logId();
    }

    /** The number of the last record on the log, 0 if there is none. Detached, the queue may hold later ones. */
    public long lastSequence() {
        return log.lastSequence();
    }

    /**
     * The position where the record {@link #lastSequence} begins, for {@link Tailer#toPosition}. 0 if there is none:
     * no record begins there, and {@code toPosition} refuses it.
     */
    public long lastPosition() {
        return log.lastPosition();
    }

    /**
     * Waits until everything before {@code position} has {@code level}. Any thread may call it. Threads that wait for
     * SYNCED share one sync. Attached, in {@code FILE} mode, the owner flushes the write buffer here, and others wait
     * for its next flush; with {@code guardedBy} each flushes, once the lock is free. Attached, a thread that leads a
     * sync returns when the device has answered, even if the time is over or it is interrupted. Detached, this asks for
     * a flush or a sync of what has been appended by now, and for later records waits until another call asks for that.
     *
     * @param timeout any; a negative one is the same as zero
     * @return false if the time ran out first
     * @throws InterruptedException if the thread is interrupted before the position has the level; the log is unchanged
     * @throws io.persist.error.LogIOException if the log fails, or has failed earlier
     * @throws io.persist.error.LogFullException as {@link Journal#commit(Durability)} does
     * @throws IllegalStateException if the logger is closed, or gets closed before the position has the level, or
     *     if this thread is the one that would have to flush for it, and has a claim open
     */
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(level, "level");
        return log.await(position, level, Objects.requireNonNull(timeout, "timeout"));
    }

    /**
     * Returns a future that is completed when everything before {@code position} has {@code level}; its value is the
     * end of what has the level then. For SYNCED a sync is begun if none will come, of what has been appended by now:
     * for what comes later the future waits until another call asks for that, such as a commit. Any thread may call it.
     * Attached, in {@code FILE} mode, the owner flushes the write buffer first; for another thread, and while the owner
     * has a claim open, the future waits for the owner's next flush. Attached, in both modes, FLUSHED of what comes
     * later waits for a flush, sync, or commit of that level: an append or a commit BUFFERED completes no future. Do
     * not hold up the thread that completes it: use the methods that end in {@code Async}. If the log fails or is
     * closed first, the future is completed with that exception.
     *
     * @param level FLUSHED or SYNCED
     * @throws IllegalArgumentException if {@code level} is BUFFERED
     * @throws io.persist.error.LogIOException if the owner cannot flush
     * @throws IllegalStateException if the logger is closed
     */
    public CompletableFuture<Long> reached(long position, Durability level) {
        return log.reached(position, level);
    }

    /**
     * Calls {@code listener} each time more of the log has {@code level}, until the result is closed, and once if the
     * log fails; throws if it has failed. Any thread may call this method. An attached logger reports FLUSHED with each
     * flush, sync, and commit of that level. It may miss what happens meanwhile: register, then look.
     *
     * @param level FLUSHED or SYNCED
     * @throws IllegalArgumentException if {@code level} is BUFFERED
     * @throws IllegalStateException if the logger is closed
     */
    public Registration listen(Durability level, PositionListener listener) {
        return log.listen(level, listener);
    }

    /**
     * A new reader at the start of the log, which the caller has to close. Any thread may call it.
     *
     * @throws io.persist.error.LogIOException if the directory cannot be read
     * @throws IllegalStateException if the logger is closed
     */
    public Tailer tailer() {
        return tailer(TailerConfig.defaults());
    }

    /** A new reader at the start of the log that reads as {@code config} says; to be closed. */
    public Tailer tailer(TailerConfig config) {
        return log.tailer(config);
    }

    /**
     * The reader with the cursor {@code name}, which the caller has to close. It begins where it last called {@link
     * Tailer#store}, or at the start of the log if there is no such cursor yet. It throws what {@link
     * Tailer#open(java.nio.file.Path, String)} throws. Any thread may call it.
     *
     * @throws IllegalStateException if the logger is closed
     */
    public Tailer tailer(String name) {
        return tailer(name, TailerConfig.defaults());
    }

    /** The reader with the cursor {@code name} that reads as {@code config} says; to be closed. */
    public Tailer tailer(String name, TailerConfig config) {
        return log.tailer(name, config);
    }

    /**
     * Says which segments {@code rule} would take away now, and changes nothing. Any thread may call it.
     *
     * @throws io.persist.error.LogIOException if the directory cannot be read
     * @throws IllegalStateException if the logger is closed
     */
    public RetentionPlan planRetention(RetentionRule rule) {
        return log.planRetention(Objects.requireNonNull(rule, "rule"));
    }

    /**
     * Takes away the segments of {@code plan}, oldest first. Any thread may call it. It stops at one that a tailer or a
     * named cursor has come to need since the plan was made. It syncs first, unless a record after these segments is
     * synced already: else a power cut could leave no record from which the next number follows.
     *
     * @throws IllegalArgumentException if {@code plan} is of another log, or would leave a hole; nothing was taken
     * @throws io.persist.error.LogIOException if the sync fails, or a file cannot be taken away: those before are gone
     * @throws io.persist.error.LogLockedException if opening a named cursor lasts for 10 s: those before are gone too
     * @throws IllegalStateException as the class says; attached, if the calling thread has a claim open, or is not the
     *     owner, which has flushed no record after these segments yet
     */
    public void retire(RetentionPlan plan, Retirement retirement) {
        log.retire(plan, retirement);
    }

    /** What opening the log found and did. Any thread may call it, also after {@link Journal#close}. */
    public RecoveryReport recovery() {
        return log.recovery();
    }

    /** What the log has done since it was opened. Any thread may call it, also after {@link Journal#close}. */
    public LogStatistics statistics() {
        return log.statistics();
    }
}
