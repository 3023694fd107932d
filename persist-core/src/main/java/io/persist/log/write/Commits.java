package io.persist.log.write;

import io.persist.format.SegmentHeader;
import io.persist.format.control.CounterBlock;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.sync.Completion;
import io.persist.log.sync.LogPositions;
import io.persist.log.thread.OnInterrupt;
import io.persist.monitor.Counter;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ends the commits of a log, and flushes and syncs for their level, or leaves that to other threads.
 *
 * <p><b>Threads:</b> the appender's; any for {@link #flushTo} and {@link #flushToAwait}. <b>Allocation:</b> none.
 */
public final class Commits {

    private final LogConfig config;
    private final Appender appender;
    private final LogPositions positions;
    private final Completion completion;
    private final CounterBlock counters;

    /** How many bytes were appended when the background thread was told to sync because of their number. */
    private long handedOver;

    /** Ends commits of {@code appender} as {@code config} says. */
    public Commits(
            LogConfig config, Appender appender, LogPositions positions, Completion completion, CounterBlock counters) {
        this.config = config;
        this.appender = appender;
        this.positions = positions;
        this.completion = completion;
        this.counters = counters;
        ReentrantLock guard = config.guard();
        if (guard != null) {
            completion.flushedBy(position -> flushIfFree(guard, position));
        }
    }

    /** Ends a commit and waits for {@code level}. */
    public long commit(Durability level) {
        long end = appender.endCommit();
        switch (level) {
            case BUFFERED -> leaveToBackground();
            case FLUSHED -> {
                appender.flush();
                leaveToBackground();
            }
            case SYNCED -> {
                boolean waits = positions.synced() < end;
                appender.sync();
                if (waits) {
                    countSynced();
                }
            }
        }
        return end;
    }

    /** Ends a commit, and does for {@code level} what only the appender's thread can: any thread can sync. */
    public long commitToAwait(Durability level) {
        if (level != Durability.SYNCED) {
            return commit(level);
        }
        long end = appender.endCommit();
        appender.checkSynced(end);
        if (positions.synced() < end) {
            countSynced();
        }
        appender.flush();
        return end;
    }

    /**
     * Counted at once: other threads' commits are counted there too. In mapped memory, after a call that the appender's
     * gate has let in: the thread that closes the log looks for this class too, see {@link AppenderOwner}.
     */
    private void countSynced() {
        counters.add(Counter.SYNCED_COMMITS, 1);
    }

    /** Ends a commit that the background thread has to sync in at most {@code maxDelay}, or when bytes enough wait. */
    public long commitWithin(Duration maxDelay) {
        Completion.checkDelay(maxDelay);
        long end = appender.endCommit();
        appender.flush();
        completion.syncWithin(end, isDueByBytes(end) ? Duration.ZERO : maxDelay);
        return end;
    }

    /**
     * Sees to it that a record is synced in the segment at {@code basePosition} or after it, and that this is still
     * the log's writer. If none is, the owner syncs all, and any other thread what is flushed: at the log's beginning,
     * before which nothing can be taken away, it need not.
     *
     * @throws IllegalStateException if the thread is not the owner, and no record is flushed there yet
     */
    public void syncFrom(long basePosition) {
        long first = basePosition + SegmentHeader.LENGTH;
        if (appender.gate().isOutside()) {
            positions.check();
            if (basePosition > 0) {
                syncFlushed(first);
            }
        } else if (positions.synced() <= first) {
            appender.sync();
        } else {
            appender.checkSynced(basePosition);
        }
    }

    private void syncFlushed(long first) {
        if (positions.synced() > first) {
            return;
        }
        long flushed = positions.flushed();
        if (flushed <= first) {
            throw new IllegalStateException("no record behind these segments is flushed yet: begins=" + first
                    + ", flushed=" + flushed + "; flush in the thread that appends, or take fewer segments");
        }
        completion.await(first + 1, Durability.SYNCED, Long.MAX_VALUE, OnInterrupt.GO_ON);
    }

    /**
     * Flushes what has to be flushed before {@code position} can have a level, if it is this thread that can: else it
     * would wait for itself. In the middle of a call, or of a claim, it leaves that to the end of those.
     */
    public void flushTo(long position) {
        if (isUnflushed(position) && appender.gate().isOpen()) {
            appender.flush();
        }
    }

    /**
     * The same for a thread that waits for {@code level} now.
     *
     * @throws IllegalStateException if it has a claim open, whose end it would wait for
     */
    public void flushToAwait(long position, Durability level) {
        if (level != Durability.BUFFERED && isUnflushed(position)) {
            appender.gate().checkNoClaim();
            flushTo(position);
        }
    }

    /**
     * The same for a thread that waits without the lock under which the log is shared. It takes the lock for that if it
     * is free, and never waits for it: the thread that has the lock may itself wait for what the waiting one has.
     */
    private void flushIfFree(ReentrantLock guard, long position) {
        if (isUnflushed(position) && guard.tryLock()) {
            try {
                flushTo(position);
            } catch (IllegalStateException closing) {
                // The log is being closed, by a thread that flushes.
            } finally {
                guard.unlock();
            }
        }
    }

    /** Whether something before {@code position} has been appended and is still to be flushed. Any thread. */
    private boolean isUnflushed(long position) {
        long flushed = positions.flushed();
        return flushed < position && flushed < positions.published();
    }

    /** Leaves what is committed to the background thread, if there is one; it syncs only what is flushed. */
    public void leaveToBackground() {
        if (config.syncIntervalBytes() == 0 && !completion.syncsAtIntervals()) {
            return;
        }
        appender.flush();
        long end = positions.committed();
        if (isDueByBytes(end)) {
            completion.syncWithin(end, Duration.ZERO);
        }
    }

    /** Whether so many bytes were committed since this was so last that they have to be synced now. */
    private boolean isDueByBytes(long end) {
        long appended = appender.appended(end);
        boolean isDue = config.syncIntervalBytes() > 0 && appended - handedOver >= config.syncIntervalBytes();
        if (isDue) {
            handedOver = appended;
        }
        return isDue;
    }
}
