package io.persist.log.sync;

import io.persist.error.CommitTimeoutException;
import io.persist.error.Limits;
import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.Registration;
import io.persist.log.thread.OnInterrupt;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * The ways to learn that a position has been reached: wait for it, a future, a listener.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none per wait.
 */
public final class Completion {

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private static final long MAX_DELAY_S = TimeUnit.DAYS.toSeconds(1);

    private final LogPositions positions;
    private final Waiters waiters;
    private final Syncer syncer;
    private final BackgroundSyncer background;
    private LongConsumer flusher = position -> {};
    private final LongConsumer sayIfStuck = position -> sayIfStuck(); // made once: a wait allocates nothing

    /** Waits for {@code positions}, which {@code syncer} and {@code background} move. */
    public Completion(LogPositions positions, Syncer syncer, BackgroundSyncer background) {
        this.positions = positions;
        this.waiters = positions.waiters();
        this.syncer = syncer;
        this.background = background;
    }

    /**
     * Has threads that wait call {@code newFlusher} while their position is not flushed, again and again; to be called
     * before the log is used.
     */
    public void flushedBy(LongConsumer newFlusher) {
        flusher = newFlusher;
    }

    /**
     * Changes the time after which the background thread syncs what is committed, as {@code LogConfig.syncInterval} has
     * it; zero for never. What is in a write buffer has to be flushed besides.
     */
    public void syncInterval(Duration time) {
        background.interval(time.toNanos());
    }

    /** Whether what is committed is synced after some time, although no thread waits for it. */
    public boolean syncsAtIntervals() {
        return background.hasInterval();
    }

    /**
     * Waits until everything before {@code position} has {@code level}, and for SYNCED brings it about, as soon as it
     * is flushed.
     *
     * @return false if the time ran out first
     * @throws IllegalStateException in the thread that syncs in the background, if it would wait for another one
     */
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        return await(position, level, ns(timeout), OnInterrupt.END) || endedBy(level, position);
    }

    /** The same; it returns false too if an interrupt has ended it. */
    public boolean await(long position, Durability level, long timeoutNs, OnInterrupt onInterrupt) {
        long startNs = System.nanoTime();
        boolean interrupted = false;
        try {
            while (positions.reached(level) < position) {
                positions.checkNotEnded();
                interrupted |= Thread.interrupted();
                long remainingNs = timeoutNs - (System.nanoTime() - startNs);
                if (interrupted && onInterrupt == OnInterrupt.END) {
                    return false;
                }
                if (level == Durability.SYNCED && positions.flushed() >= position) {
                    return syncer.syncTo(position, remainingNs, onInterrupt);
                }
                if (remainingNs <= 0) {
                    return false;
                }
                checkMayWait();
                if (level != Durability.BUFFERED) {
                    flusher.accept(position);
                }
                // An append wakes no thread: that would cost each append a fence.
                LockSupport.parkNanos(this, Math.min(PAUSE_NS, remainingNs));
            }
            positions.check();
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits until everything before {@code position} has {@code level}, which another thread has to bring about, and
     * then to {@link #wake}.
     *
     * @return false if the time ran out first, or an interrupt has ended it
     */
    public boolean awaitOthers(long position, Durability level, long timeoutNs, OnInterrupt onInterrupt) {
        return awaitOthers(position, level, timeoutNs, onInterrupt, sayIfStuck);
    }

    /**
     * The same. {@code meanwhile} is called with the position at least once a second, and after {@link
     * #wakeUnpublished}.
     */
    public boolean awaitOthers(
            long position, Durability level, long timeoutNs, OnInterrupt onInterrupt, LongConsumer meanwhile) {
        return waiters.await(position, level, timeoutNs, onInterrupt, meanwhile);
    }

    /** Has the threads look around that wait for what is not published: it may never be. */
    public void wakeUnpublished() {
        waiters.wakeUnpublished();
    }

    /** Says in the application's logging that a sync takes very long, if one does; called by threads that wait. */
    public void sayIfStuck() {
        syncer.sayIfStuck();
    }

    /**
     * Waits at most {@code timeout} for a flushed commit of {@code level} that ends at {@code end}. The background
     * thread syncs it, so that this thread never waits in the device.
     *
     * @throws CommitTimeoutException if the time ran out first
     */
    public void awaitCommit(long end, Durability level, Duration timeout) {
        checkMayWait();
        if (level == Durability.SYNCED && positions.synced() < end) {
            background.syncWithin(end, 0);
        }
        if (!awaitOthers(end, level, ns(timeout), OnInterrupt.GO_ON)) {
            throw late(end, level, timeout);
        }
    }

    /** Throws if what the current thread is about to wait for could wait for this very thread. */
    private void checkMayWait() {
        if (waiters.isInBackground()) {
            throw new IllegalStateException("a listener, or the step of a future, must not wait for the log on the"
                    + " thread that syncs it in the background; use the log in another thread");
        }
    }

    /** What is thrown when the time of a commit that ends at {@code end} is over. */
    public static CommitTimeoutException late(long end, Durability level, Duration timeout) {
        return new CommitTimeoutException(
                "commit is not " + level + " after timeout=" + timeout + ": position=" + end
                        + "; it was made and readers see it, await(position, " + level
                        + ", ...) tells when it has the level",
                end);
    }

    /** A time to wait: none if it is negative, and 292 years if it is longer than that. */
    public static long ns(Duration timeout) {
        return Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
    }

    /**
     * Ends a wait that an interrupt may have ended, as {@link OnInterrupt#END} says.
     *
     * @return false: its time ran out
     * @throws InterruptedException if the thread's flag is up, which is down then
     */
    public static boolean endedBy(Durability level, long position) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while it waited for " + level + " of position " + position);
        }
        return false;
    }

    /** Wakes those whose position is reached. */
    public void wake() {
        waiters.signal();
    }

    /**
     * A future that is completed with the end of what has {@code level} once everything before {@code position} has.
     *
     * @param level FLUSHED or SYNCED; for SYNCED a sync is begun if need be
     */
    public CompletableFuture<Long> reached(long position, Durability level) {
        CompletableFuture<Long> future = reachedByOthers(position, level);
        if (level == Durability.SYNCED && !future.isDone()) {
            background.syncWithin(Math.min(position, positions.published()), 0);
        }
        return future;
    }

    /** The same, but another thread has to bring it about. */
    public CompletableFuture<Long> reachedByOthers(long position, Durability level) {
        checkLevel(level);
        return waiters.reached(position, level);
    }

    /**
     * Has everything before {@code position} synced at most {@code maxDelay} from now, by the background thread, as far
     * as it is flushed by then.
     */
    public void syncWithin(long position, Duration maxDelay) {
        boolean tooLong = maxDelay.getSeconds() > MAX_DELAY_S;
        background.syncWithin(position, tooLong ? TimeUnit.SECONDS.toNanos(MAX_DELAY_S) : maxDelay.toNanos());
    }

    /** Throws if it is no time within which something can be synced. */
    public static void checkDelay(Duration maxDelay) {
        Limits.checkNotNegative("maxDelay", maxDelay);
    }

    /** Tells {@code listener} each time more has {@code level}, which is FLUSHED or SYNCED. */
    public Registration listen(Durability level, PositionListener listener) {
        checkLevel(level);
        return waiters.listen(level, Objects.requireNonNull(listener, "listener"));
    }

    private static void checkLevel(Durability level) {
        if (Objects.requireNonNull(level, "level") == Durability.BUFFERED) {
            throw new IllegalArgumentException("level=BUFFERED, of which nobody is told: attached a record has it when"
                    + " append returns, detached await(position, BUFFERED, ...) waits for it; use FLUSHED");
        }
    }
}
