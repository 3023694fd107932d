package io.persist.log;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

    Completion(LogPositions positions, Syncer syncer, BackgroundSyncer background) {
        this.positions = positions;
        this.waiters = positions.waiters();
        this.syncer = syncer;
        this.background = background;
    }

    /**
     * Waits until everything before {@code position} has {@code level}, and for SYNCED brings it about, as soon as it
     * is flushed.
     *
     * @return false if the time ran out first
     */
    boolean await(long position, Durability level, long timeoutNs) {
        long startNs = System.nanoTime();
        boolean interrupted = false;
        try {
            while (positions.reached(level) < position) {
                positions.checkNotEnded();
                long remainingNs = timeoutNs - (System.nanoTime() - startNs);
                if (level == Durability.SYNCED && positions.flushed() >= position) {
                    return syncer.syncTo(position, remainingNs);
                }
                if (remainingNs <= 0) {
                    return false;
                }
                // An append wakes nobody: that would cost each of them a fence.
                LockSupport.parkNanos(this, Math.min(PAUSE_NS, remainingNs));
                interrupted |= Thread.interrupted();
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
     * @return false if the time ran out first
     */
    public boolean awaitOthers(long position, Durability level, long timeoutNs) {
        return waiters.await(position, level, timeoutNs);
    }

    /** How many threads and futures wait. */
    public int waiting() {
        return waiters.count();
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
    CompletableFuture<Long> reached(long position, Durability level) {
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
        if (maxDelay.isNegative()) {
            throw new IllegalArgumentException("maxDelay=" + maxDelay + ", min=PT0S");
        }
    }

    /** Tells {@code listener} each time more has {@code level}, which is FLUSHED or SYNCED. */
    public Registration listen(Durability level, PositionListener listener) {
        checkLevel(level);
        return waiters.listen(level, listener);
    }

    private static void checkLevel(Durability level) {
        if (level == Durability.BUFFERED) {
            throw new IllegalArgumentException("level=BUFFERED is reached as soon as append returns; use FLUSHED");
        }
    }
}
