package io.persist.shard.batch;

import io.persist.shard.thread.LastingThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
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

    private final @Nullable Threads threads;

    private PartWriters(int partBytes, @Nullable Threads threads) {
        this.arrays = new PartArrays(partBytes, threads == null ? FEW : MANY);
        this.recent = new RecentParts(arrays, threads == null ? 0 : RECENT);
        this.threads = threads;
    }

    /** Those that write. */
    interface Threads {

        /**
         * Has it done soon; it throws nothing.
         *
         * @throws RejectedExecutionException after {@link #shutdown}
         */
        void execute(Runnable write);

        /** Nothing more comes; what was begun is done. */
        void shutdown();
    }

    /** Begin when there is something to write, and stay: that one begins may need memory that is not there then. */
    private static final class OwnThreads implements Threads {

        // Guarded by this. No more is in the line than there are places, so it needs no more memory.
        private final Queue<Runnable> line = new ArrayDeque<>(2 * AT_ONCE);
        private final List<LastingThread> all = new ArrayList<>(AT_ONCE);
        private int idle;
        private boolean isShutdown;

        @Override
        public synchronized void execute(Runnable write) {
            if (isShutdown) {
                throw new RejectedExecutionException();
            }
            if (idle <= line.size() && all.size() < AT_ONCE) {
                start();
            }
            line.add(write);
            notifyAll();
        }

        private void start() {
            try {
                all.add(LastingThread.start("shard-parts-" + NUMBER.incrementAndGet(), this::serve));
            } catch (RuntimeException | Error notStarted) { // such as a thread that the system has no memory for
                if (all.isEmpty()) {
                    throw notStarted;
                }
            }
        }

        private void serve() throws InterruptedException {
            for (Runnable write = next(); write != null; write = next()) {
                write.run();
            }
        }

        /** Waits for one; null at the end. */
        private synchronized @Nullable Runnable next() throws InterruptedException {
            idle++;
            try {
                while (line.isEmpty() && !isShutdown) {
                    wait(); // for which the thread needs no memory
                }
            } finally {
                idle--;
            }
            endIfDone(); // before one is taken out of the line: nothing may fail between that and its work
            return line.poll();
        }

        @Override
        public synchronized void shutdown() {
            isShutdown = true;
            notifyAll();
            endIfDone();
        }

        /** Not before: all threads may be about to begin, or pause, and would leave what is in the line. */
        private void endIfDone() {
            if (isShutdown && line.isEmpty()) {
                all.forEach(LastingThread::end);
            }
        }
    }

    /** An object on its way into the blob. Others wait for it: to say how it has ended needs no memory. */
    static final class Write implements Runnable {

        private final Runnable work;
        private boolean isDone; // guarded by this
        private @Nullable Throwable failure; // guarded by this

        Write(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            try {
                work.run();
                end(null);
            } catch (Throwable failed) { // a place in another language may throw anything, and memory may be short
                end(failed);
            }
        }

        private synchronized void end(@Nullable Throwable failed) {
            failure = failed;
            isDone = true;
            notifyAll();
        }

        synchronized boolean isDone() {
            return isDone;
        }

        /** Why it has failed; null if it has not, or is not done. */
        synchronized @Nullable Throwable failure() {
            return failure;
        }

        /** Waits until it is done; an interrupt of the caller is kept for later. */
        synchronized void await() {
            boolean isInterrupted = false;
            while (!isDone) {
                try {
                    wait();
                } catch (InterruptedException again) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** With threads of its own. */
    public static PartWriters start(int partBytes) {
        return over(partBytes, new OwnThreads());
    }

    /** With these threads, which it ends. */
    static PartWriters over(int partBytes, Threads threads) {
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

    /** Does {@code work} soon, which has {@code length} bytes in memory: a long part takes several places. */
    Write begin(Runnable work, int length) {
        Threads writing = threads;
        if (writing == null) {
            return now(work);
        }
        Write write = new Write(work);
        int places = Math.min(AT_ONCE, arrays.count(length));
        room.acquireUninterruptibly(places);
        boolean isBegun = false;
        try {
            writing.execute(() -> {
                write.run();
                room.release(places);
            });
            isBegun = true;
            return write;
        } catch (RejectedExecutionException closed) {
            throw new IllegalStateException("the client is closed", closed);
        } finally {
            if (!isBegun) {
                room.release(places); // such as of a thread that the system has no memory for
            }
        }
    }

    /** Does it on this thread. */
    static Write now(Runnable work) {
        Write write = new Write(work);
        write.run();
        return write;
    }

    /** Takes nothing more; what was begun is done. */
    @Override
    public void close() {
        if (threads != null) {
            threads.shutdown();
        }
    }
}
