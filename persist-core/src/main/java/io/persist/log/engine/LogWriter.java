package io.persist.log.engine;

import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.space.Headroom.Reserve;
import io.persist.log.space.RecordSpace;
import io.persist.log.sync.LogPositions;
import io.persist.monitor.LogStatistics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/**
 * What writes a log: {@link Log} on the calling thread, {@code DetachedLog} on a thread of its own behind a queue. Both
 * have the same methods with the same promises. They differ in the threads that may call, and in the cost of a call.
 */
public interface LogWriter extends AutoCloseable {

    /** Appends a record; returns the position right after it. */
    long append(byte[] source, int offset, int length);

    /** Appends what remains of {@code source}, whose position stays as it is; returns the position right after it. */
    long append(ByteBuffer source);

    /** Appends a part of {@code source}; returns the position right after it. */
    default long append(DirectBuffer source, int offset, int length) {
        Claim claim = claim(length);
        boolean copied = false;
        try {
            ByteBuffer payload = claim.payload();
            source.getBytes(offset, payload, payload.position(), length);
            copied = true;
        } finally {
            if (!copied) {
                claim.abort();
            }
        }
        return claim.publish();
    }

    /**
     * Whether an append of a record of {@code length} bytes would have to wait now, for space or for a place in a
     * queue. If so, what it would wait for comes without it. Else the next call does not wait, if it is such an append.
     * Throws what the append would throw. For threads that may append.
     */
    default boolean wouldWait(int length) {
        RecordSpace space = recordSpace();
        space.check(length);
        return !space.has(length, 0, Reserve.KEEP);
    }

    /** A record of {@code length} bytes, to be filled in memory of the logger's and copied when it is published. */
    Claim claim(int length);

    /** Aborts the claim that the calling thread could publish, if it is open. */
    void abortClaim();

    /** Space for the next record, for a thread that has a lock which others want. */
    RecordSpace recordSpace();

    /** Ends a commit and waits for what {@code level} says; returns the position up to which the log is committed. */
    long commit(Durability level);

    /**
     * As {@link #commit(Durability)}, but waits at most {@code timeout}, and another thread forces the device. An
     * interrupt does not end the wait.
     *
     * @param timeout a negative one is the same as zero
     * @throws io.persist.error.CommitTimeoutException if the time ran out first; the commit has ended all the same
     */
    default long commit(Durability level, Duration timeout) {
        long end = commitToAwait(level);
        if (level != Durability.BUFFERED) {
            awaitCommit(end, level, timeout);
        }
        return end;
    }

    /**
     * Ends a commit that has to have {@code level}, and does not wait: the device is not forced. {@link
     * #awaitUninterruptibly} or {@link #awaitCommit} does the rest, in any thread.
     *
     * @return the position up to which the log is committed
     */
    long commitToAwait(Durability level);

    /**
     * Ends a commit that has to be SYNCED in at most {@code maxDelay}, and does not wait for that. Many of them are
     * synced at once, as late as the first one's time allows.
     *
     * @return the position up to which the log is committed
     */
    long commitWithin(Duration maxDelay);

    /**
     * Ends the segment that is written with its seal, unless it has no record yet, and goes on in the next one. No
     * commit ends, and nothing is flushed or synced for threads that wait.
     *
     * @return where the next record will begin
     */
    long roll();

    /** Hands everything appended to the operating system. */
    void flush();

    /** Returns when everything appended is on the device. */
    void sync();

    /**
     * Ends the calling thread's ownership: the next thread that calls may append. Where any thread may append, this
     * does nothing.
     */
    void handOver();

    /** How far the log has come. */
    LogPositions positions();

    /** The end of the log: where the last record ends. */
    default long position() {
        return positions().published();
    }

    /** The end of the log once all is written that was accepted: a queue has what is behind {@link #position}. */
    default long acceptedPosition() {
        return position();
    }

    /** Whether the log has failed. */
    default boolean hasFailed() {
        return positions().hasFailed();
    }

    /** The end of what is committed. */
    default long committedPosition() {
        return positions().committed();
    }

    /** The end of what survives the process. */
    default long flushedPosition() {
        return positions().flushed();
    }

    /** The end of what survives a power cut. */
    default long syncedPosition() {
        return positions().synced();
    }

    /** The log's id, the same in all its segments. Any thread may call it, also after {@link #close}. */
    long logId();

    /** The number of the last record, 0 if there is none. */
    default long lastSequence() {
        return positions().lastSequence();
    }

    /** Where the last record begins, 0 if there is none. */
    default long lastPosition() {
        return positions().lastPosition();
    }

    /**
     * Waits until everything before {@code position} is safe at {@code level}.
     *
     * @param timeout a negative one is the same as zero
     * @return false if the time ran out first
     * @throws InterruptedException if the thread is interrupted before that; the log is unchanged
     */
    boolean await(long position, Durability level, Duration timeout) throws InterruptedException;

    /** As {@link #await}, for as long as it takes; an interrupt does not end the wait. */
    void awaitUninterruptibly(long position, Durability level);

    /**
     * Waits for an earlier commit, which was handed over or flushed and ends at {@code end}, as {@link
     * #commit(Durability, Duration)} does. Any thread.
     */
    void awaitCommit(long end, Durability level, Duration timeout);

    /**
     * A future that is completed with the end of what has {@code level} once everything before {@code position} has.
     *
     * @param level FLUSHED or SYNCED; for SYNCED a sync is begun if need be
     */
    CompletableFuture<Long> reached(long position, Durability level);

    /**
     * Tells {@code listener} each time more has {@code level}, which is FLUSHED or SYNCED. It may not be told of what
     * happens during this call: register first, then look at the position.
     */
    Registration listen(Durability level, PositionListener listener);

    /** A new tailer at the start of the log. Retention leaves alone what it still has to read. */
    Tailer tailer(TailerConfig config);

    /** The same with the defaults. */
    default Tailer tailer() {
        return tailer(TailerConfig.defaults());
    }

    /** The tailer with the cursor {@code name}, as {@link Tailer} has it; to be closed. */
    Tailer tailer(String name, TailerConfig config);

    /** The same with the defaults. */
    default Tailer tailer(String name) {
        return tailer(name, TailerConfig.defaults());
    }

    /** What {@code rule} would take away now: a dry run. */
    RetentionPlan planRetention(RetentionRule rule);

    /** Takes away the segments of {@code plan}. */
    void retire(RetentionPlan plan, Retirement retirement);

    /** What opening the log found and did. Any thread may call it. */
    RecoveryReport recovery();

    /** The counters of the log at this moment. Any thread may call it. */
    LogStatistics statistics();

    @Override
    void close();
}
