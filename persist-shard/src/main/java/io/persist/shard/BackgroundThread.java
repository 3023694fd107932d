package io.persist.shard;

import io.persist.shard.location.TimedWait;
import io.persist.shard.thread.LastingThread;
import io.persist.shard.upkeep.Attempts;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A thread of a client that works each second, and soon after it was asked. */
final class BackgroundThread implements AutoCloseable {

    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final Predicate<Attempts> work;
    private final BooleanSupplier isDue = this::isDue; // once: to wait needs no memory then
    private final LastingThread thread;
    private boolean isRequested; // guarded by this
    private boolean isClosed; // guarded by this
    private volatile @Nullable Throwable failure;

    /**
     * A thread that begins in a second.
     *
     * @param name of the thread
     * @param work says whether there may be more of it; what may fail it attempts
     */
    BackgroundThread(String name, Predicate<Attempts> work) {
        this.work = work;
        this.thread = LastingThread.start(name, this::run);
    }

    private void run() throws InterruptedException {
        boolean unused = TimedWait.until(this, isDue, PERIOD_NS);
        if (!begin()) {
            return;
        }
        try {
            attempt();
        } catch (Throwable failed) { // a place in another language may throw anything, and memory may be short
            failure = failed;
        }
    }

    private synchronized boolean isDue() {
        return isRequested || isClosed;
    }

    private synchronized boolean begin() {
        isRequested = false;
        return !isClosed;
    }

    /** A failure is not the end: the next second it is tried again. */
    private void attempt() {
        Attempts attempts = new Attempts();
        boolean isMore = attempts.get(() -> work.test(attempts), false);
        failure = attempts.failure();
        if (isMore) {
            request();
        }
    }

    synchronized void request() {
        isRequested = true;
        notifyAll();
    }

    /** Why the last run failed, or null. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Waits until it has ended; what it does it does to the end. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        thread.end();
        thread.awaitEnd();
    }
}
