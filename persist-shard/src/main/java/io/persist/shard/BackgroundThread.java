package io.persist.shard;

import io.persist.shard.upkeep.Attempts;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A thread of a client that works each second, and soon after it was asked. */
final class BackgroundThread implements AutoCloseable {

    private static final long PERIOD_MS = 1_000;

    private final Predicate<Attempts> work;
    private final ScheduledExecutorService executor;
    private final AtomicBoolean isRequested = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /**
     * A thread that begins in a second.
     *
     * @param name of the thread
     * @param work says whether there may be more of it; what may fail it attempts
     */
    BackgroundThread(String name, Predicate<Attempts> work) {
        this.work = work;
        this.executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        ScheduledFuture<?> unused =
                executor.scheduleWithFixedDelay(this::run, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    }

    /** A failure is not the end: the next second it is tried again. The executor would end with what it is thrown. */
    private void run() {
        isRequested.set(false);
        try {
            attempt();
        } catch (Throwable failed) { // a place in another language may throw anything, and memory may be short
            failure.set(failed);
        }
    }

    private void attempt() {
        Attempts attempts = new Attempts();
        boolean isMore = attempts.get(() -> work.test(attempts), false);
        failure.set(attempts.failure());
        if (isMore) {
            request();
        }
    }

    void request() {
        if (isRequested.compareAndSet(false, true)) {
            try {
                executor.execute(this::run);
            } catch (RejectedExecutionException closed) {
                isRequested.set(false);
            }
        }
    }

    /** Why the last run failed, or null. */
    @Nullable
    Throwable failure() {
        return failure.get();
    }

    /** Waits until it has ended; what it does it does to the end. */
    @Override
    public void close() {
        executor.shutdown();
        awaitEnd(executor);
    }

    /** Waits until {@code executor}, which takes nothing more, has done what it had. */
    static void awaitEnd(ExecutorService executor) {
        boolean isInterrupted = false;
        while (true) {
            try {
                if (executor.awaitTermination(1, TimeUnit.MINUTES)) {
                    break;
                }
            } catch (InterruptedException again) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
