package io.persist.bench.subject;

import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.thread.LogThread;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Awaits the durability of commits in place of the threads that make them, as a program does that answers its clients
 * when their records are safe: one thread, which waits for the newest commit there is, and then for the newest of those
 * that came meanwhile. So one sync serves as many commits as come while the one before it runs.
 *
 * <p><b>Threads:</b> any thread requests. <b>Allocation:</b> none per commit.
 */
final class CommitAwaiter implements AutoCloseable {

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Log log;
    private final Durability level;
    private final AtomicLong requested = new AtomicLong();
    private final Thread thread = new Thread(this::run, "commit-awaiter");
    private volatile boolean parked;
    private volatile boolean closed;
    private @Nullable Throwable failure; // read when the thread has ended

    private CommitAwaiter(Log log, Durability level) {
        this.log = log;
        this.level = level;
    }

    /** For a detached log, unless the level comes by itself once the writer thread has the records. */
    static @Nullable CommitAwaiter startIfNeeded(Log log, LogConfig config) {
        boolean needed = switch (config.durability()) {
            case BUFFERED -> false;
            case FLUSHED -> config.writeMode() == WriteMode.FILE;
            case SYNCED -> true;
        };
        return needed ? start(log, config.durability()) : null;
    }

    private static CommitAwaiter start(Log log, Durability level) {
        CommitAwaiter awaiter = new CommitAwaiter(log, level);
        awaiter.thread.setDaemon(true);
        awaiter.thread.start();
        return awaiter;
    }

    /** A commit ends at {@code position}. */
    void request(long position) {
        for (long newest = requested.get(); newest < position; newest = requested.get()) {
            if (requested.compareAndSet(newest, position)) {
                // The position was stored before the look at the flag. The partner is in awaitRequest.
                if (parked) {
                    LockSupport.unpark(thread);
                }
                return;
            }
        }
    }

    private void run() {
        long reached = 0;
        try {
            while (!closed) {
                long newest = requested.get();
                if (newest == reached) {
                    awaitRequest(newest);
                } else if (log.await(newest, level, LOOK)) {
                    reached = newest;
                }
            }
        } catch (PersistException | IllegalStateException e) {
            // The log has failed or is full, which its next call tells those who write to it.
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void awaitRequest(long newest) {
        parked = true;
        // The flag was stored before the last look at the position. The partner is in request.
        if (requested.get() == newest && !closed) {
            LockSupport.park(this);
        }
        parked = false;
    }

    /**
     * Ends it.
     *
     * @throws IllegalStateException if the thread has ended before: the commits had no level since
     */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        LogThread.join(thread);
        if (failure != null) {
            throw new IllegalStateException("the commit awaiter has failed: " + failure, failure);
        }
    }

    /** What it asks of the log. */
    @FunctionalInterface
    interface Log {

        /** Waits until everything before {@code position} has {@code level}; false if the time ran out first. */
        boolean await(long position, Durability level, Duration timeout) throws InterruptedException;
    }
}
