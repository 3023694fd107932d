package io.persist.shard;

import io.persist.shard.error.ShardException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The thread of a client that renews leases and does upkeep: each second, and soon after it was asked. */
final class BackgroundUpkeep implements AutoCloseable {

    private static final long PERIOD_MS = 1_000;

    private final BooleanSupplier work;
    private final ScheduledExecutorService executor;
    private final AtomicBoolean isRequested = new AtomicBoolean();
    private final AtomicReference<@Nullable ShardException> failure = new AtomicReference<>();

    /** {@code work} says whether there may be more of it. */
    BackgroundUpkeep(BooleanSupplier work) {
        this.work = work;
        this.executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "shard-upkeep");
            thread.setDaemon(true);
            return thread;
        });
        ScheduledFuture<?> unused =
                executor.scheduleWithFixedDelay(this::run, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    }

    /** A failure is not the end: the next second it is tried again. */
    private void run() {
        isRequested.set(false);
        try {
            boolean isMore = work.getAsBoolean();
            failure.set(null);
            if (isMore) {
                request();
            }
        } catch (ShardException failed) {
            failure.set(failed);
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
    ShardException failure() {
        return failure.get();
    }

    @Override
    public void close() {
        executor.shutdown();
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
