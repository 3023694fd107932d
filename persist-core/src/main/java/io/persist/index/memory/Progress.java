package io.persist.index.memory;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Tells those that wait for others, under a lock of theirs, whether these come on.
 *
 * <p><b>Threads:</b> the one with that lock, whose {@code notifyAll} wakes those that wait.
 */
final class Progress {

    /** How long the next step of others is waited for: they may have to write a checkpoint to give a chunk back. */
    private static final long AWAIT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Object lock;
    private long steps;

    Progress(Object lock) {
        this.lock = lock;
    }

    /** Those that wait have come nearer to what they wait for. */
    void step() {
        steps++;
    }

    /** Waits while {@code condition}, until there was no step for too long. */
    void awaitWhile(BooleanSupplier condition) {
        boolean wasInterrupted = false;
        long seen = steps;
        long end = System.nanoTime() + AWAIT_NS;
        long left = AWAIT_NS;
        while (left > 0 && condition.getAsBoolean()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(lock, left);
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
            long now = System.nanoTime();
            end = seen == steps ? end : now + AWAIT_NS;
            seen = steps;
            left = end - now;
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
