package io.persist.shard.batch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a client that write whole parts, a few at the same time: the device works while the next part is
 * made. When all are busy the thread that has made one more waits for one of them, so that memory has a bound. Here are
 * the arrays of all parts of the client, too.
 *
 * <p><b>Threads:</b> any.
 */
public final class PartWriters implements AutoCloseable {

    private static final int AT_ONCE = 4;
    private static final long IDLE_S = 10;

    /** Arrays that a client without threads keeps, as nobody lets go of them. */
    private static final int FEW = 2;

    /** Those that are built, written or read at the same time, and what merges of whole parts need. */
    private static final int MANY = 16;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Parts that listeners may read from memory: those that are being written, and of some batches behind them. */
    private static final int RECENT = 8;

    private final PartArrays arrays;
    private final RecentParts recent;

    /** Fair: a long part waits for several places, which others would take before it. */
    private final Semaphore room = new Semaphore(AT_ONCE, true);

    private final @Nullable ExecutorService threads;

    private PartWriters(int partBytes, @Nullable ExecutorService threads) {
        this.arrays = new PartArrays(partBytes, threads == null ? FEW : MANY);
        this.recent = new RecentParts(arrays, threads == null ? 0 : RECENT);
        this.threads = threads;
    }

    /** Threads that begin when there is something to write, and end when there has been nothing for a while. */
    public static PartWriters start(int partBytes) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                AT_ONCE, AT_ONCE, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "shard-parts-" + NUMBER.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return over(partBytes, threads);
    }

    /** The threads of {@code threads}, which it closes. */
    static PartWriters over(int partBytes, ExecutorService threads) {
        return new PartWriters(partBytes, threads);
    }

    /** No threads: each part is written by the one that has made it. */
    public static PartWriters none(int partBytes) {
        return new PartWriters(partBytes, null);
    }

    PartArrays arrays() {
        return arrays;
    }

    RecentParts recent() {
        return recent;
    }

    /** Part of upkeep: lets go of memory that was of no use lately. */
    public void trim() {
        recent.trim();
        arrays.trim();
    }

    /** Does {@code write} soon, which has {@code length} bytes in memory: a long part takes several places. */
    CompletableFuture<Void> begin(Runnable write, int length) {
        ExecutorService pool = threads;
        if (pool == null) {
            return now(write);
        }
        int places = Math.min(AT_ONCE, arrays.count(length));
        room.acquireUninterruptibly(places);
        try {
            return CompletableFuture.runAsync(
                    () -> {
                        try {
                            write.run();
                        } finally {
                            room.release(places);
                        }
                    },
                    pool);
        } catch (RejectedExecutionException closed) {
            room.release(places);
            throw new IllegalStateException("the client is closed", closed);
        } catch (RuntimeException | Error notStarted) {
            room.release(places); // such as a thread that the system has no memory for
            throw notStarted;
        }
    }

    /** Does it on this thread. */
    static CompletableFuture<Void> now(Runnable write) {
        try {
            write.run();
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException | Error failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    /** Takes nothing more; what was begun is done. */
    @Override
    public void close() {
        if (threads != null) {
            threads.shutdown();
        }
    }
}
