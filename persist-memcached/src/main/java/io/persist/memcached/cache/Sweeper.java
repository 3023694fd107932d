package io.persist.memcached.cache;

import io.persist.error.PersistException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Removes dead items that nobody asks for, in a thread of its own: some hundred items, then a pause. It is short where
 * many are dead, and after a change was refused for want of memory, so that room comes back as fast as it is used.
 */
public final class Sweeper implements AutoCloseable {

    private static final long PAUSE_MS = 50;
    private static final long LEAST_PAUSE_MS = 1; // else each refused change would have it take a processor
    private static final long REST_MS = 10_000;

    private final Cache cache;
    private final long restMs;
    private final long pauseMs;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final Thread thread = new Thread(new Vital("the sweeper", this::run, failure), "memcached-sweeper");
    private final CountDownLatch end = new CountDownLatch(1);

    private Sweeper(Cache cache, long restMs, long pauseMs) {
        this.cache = cache;
        this.restMs = restMs;
        this.pauseMs = pauseMs;
    }

    /** Begins. */
    public static Sweeper start(Cache cache) {
        return start(cache, REST_MS, PAUSE_MS);
    }

    /** Begins with another rest between two walks and another pause between two steps, for tests. */
    public static Sweeper start(Cache cache, long restMs, long pauseMs) {
        Sweeper sweeper = new Sweeper(cache, restMs, pauseMs);
        sweeper.thread.setDaemon(true);
        sweeper.thread.start();
        return sweeper;
    }

    private void run() {
        try {
            while (!endsInPause(restMs)) {
                sweep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Is completed when the thread has ended, by itself or as it was closed: dead items stay from now on. */
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    private void sweep() throws InterruptedException {
        try {
            Sweep sweep = cache.sweep();
            while (sweep != null && sweep.step()) {
                if (endsInPause(sweep.foundMany() ? 0 : pauseMs)) {
                    return;
                }
            }
        } catch (PersistException | IllegalStateException ignored) {
            // A full disk, a failed log, a store that closes: clients are told. The next walk tries again.
            cache.sweepDemand().add();
        }
    }

    /** A close wakes one pause: if that was one of a walk, the rest behind the walk has nothing to wait for. */
    private boolean endsInPause(long ms) throws InterruptedException {
        if (end.getCount() > 0) {
            cache.sweepDemand().await(ms);
        }
        return end.await(LEAST_PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        end.countDown();
        cache.sweepDemand().hurry();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
