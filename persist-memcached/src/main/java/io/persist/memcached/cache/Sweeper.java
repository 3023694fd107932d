package io.persist.memcached.cache;

import io.persist.error.PersistException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Removes dead items that nobody asks for, slowly, in a thread of its own: some hundred items, then a pause. */
public final class Sweeper implements AutoCloseable {

    private static final long PAUSE_MS = 50;
    private static final long REST_MS = 10_000;

    private final Cache cache;
    private final Thread thread = new Thread(this::run, "memcached-sweeper");
    private final CountDownLatch end = new CountDownLatch(1);

    private Sweeper(Cache cache) {
        this.cache = cache;
    }

    /** Begins. */
    public static Sweeper start(Cache cache) {
        Sweeper sweeper = new Sweeper(cache);
        sweeper.thread.setDaemon(true);
        sweeper.thread.start();
        return sweeper;
    }

    private void run() {
        try {
            while (!end.await(REST_MS, TimeUnit.MILLISECONDS)) {
                sweep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sweep() throws InterruptedException {
        try {
            Sweep sweep = cache.sweep();
            while (sweep != null && sweep.step()) {
                if (end.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (PersistException | IllegalStateException ignored) {
            // A full disk, a failed log, a store that closes: clients are told. The next walk tries again.
            cache.sweepAgain();
        }
    }

    @Override
    public void close() {
        end.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
