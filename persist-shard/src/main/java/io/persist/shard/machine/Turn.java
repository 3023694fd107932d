package io.persist.shard.machine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Of the threads of this process that change a shard one tries at a time: the others would lose.
 *
 * <p><b>Threads:</b> any.
 */
final class Turn {

    /** Longer than many changes take that are answered. */
    private static final long SOON_MS = 1_000;

    private final ReentrantLock lock = new ReentrantLock();

    /** What {@code change} says when it is its turn. */
    <R> R take(Supplier<R> change) {
        lock.lock();
        return inTurn(change);
    }

    /** The same, but throws what {@code refusal} gives if it is not its turn soon: the place may not answer another. */
    <R> R takeSoon(Supplier<R> change, Supplier<? extends RuntimeException> refusal) {
        if (!isSoon()) {
            throw refusal.get();
        }
        return inTurn(change);
    }

    private <R> R inTurn(Supplier<R> change) {
        try {
            return change.get();
        } finally {
            lock.unlock();
        }
    }

    /** First without a wait, which a thread that is interrupted may not do. */
    private boolean isSoon() {
        try {
            return lock.tryLock() || lock.tryLock(SOON_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
