package io.persist.shard.bench.loop;

import io.persist.bench.host.WorkThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a run. They end by themselves, as what they write may not be interrupted; whether one has ended is
 * asked of the thread itself, as one that dies on a full heap has no memory to count down with.
 *
 * <p><b>Threads:</b> one begins and awaits them.
 */
final class LoopThreads {

    /** What one of them does. */
    interface Work {
        void run() throws InterruptedException;
    }

    private final Runnable atEnd;
    private final List<WorkThread<@Nullable Void>> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** @param atEnd what each does at its end, too */
    LoopThreads(Runnable atEnd) {
        this.atEnd = atEnd;
    }

    void begin(String name, Work work) {
        threads.add(WorkThread.start(name, () -> {
            try {
                try {
                    work.run();
                } finally {
                    atEnd.run();
                }
            } catch (Throwable failed) {
                failure.compareAndSet(null, failed);
            }
            return null;
        }));
    }

    /** Waits so long at most for each; returns whether all have ended, or one has failed. */
    boolean awaitEnd(long timeoutNs) throws InterruptedException {
        for (WorkThread<@Nullable Void> thread : threads) {
            if (failure.get() == null && !thread.awaitEnd(timeoutNs)) {
                return failure.get() != null;
            }
        }
        return true;
    }

    /** Waits for the end of all, which somebody has told them of. On a full heap it needs no iterator. */
    void join() {
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).join();
        }
    }

    /** What has ended the first that failed, or null. */
    @Nullable
    Throwable failure() {
        return failure.get();
    }
}
