package io.persist.jmh.support;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads that do the same work at the same time, again and again. JMH's own threads would not do: a log has to be
 * replaced by a fresh one now and then, while none of them uses it.
 */
public final class Producers implements AutoCloseable {

    /** What a producer does in one round. */
    public interface Work {
        void run(int producer) throws Exception;
    }

    private final CyclicBarrier start;
    private final CyclicBarrier end;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile Work work = producer -> {};
    private volatile boolean closed;

    public Producers(int count) {
        this.start = new CyclicBarrier(count + 1);
        this.end = new CyclicBarrier(count + 1);
        for (int i = 0; i < count; i++) {
            int producer = i;
            Thread thread = new Thread(() -> loop(producer), "producer " + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void loop(int producer) {
        while (true) {
            await(start);
            if (closed) {
                return;
            }
            try {
                work.run(producer);
            } catch (Exception e) {
                failure.compareAndSet(null, e);
            }
            await(end);
        }
    }

    /** Has all of them do {@code next} once, and returns when they are done. */
    public void run(Work next) {
        work = next;
        await(start);
        await(end);
        Exception first = failure.get();
        if (first != null) {
            throw new IllegalStateException("a producer failed", first);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        await(start);
    }
}
