package io.persist.shard.bench.loop;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A short queue between two threads, which both leave when all is over. No thread is interrupted: it may write. */
final class Pipe<T> {

    private static final long LOOK_MS = 50;

    private final BlockingQueue<T> queue;
    private final BooleanSupplier isOver;

    Pipe(int capacity, BooleanSupplier isOver) {
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.isOver = isOver;
    }

    /** Waits for room; false if all is over before. */
    boolean put(T what) throws InterruptedException {
        while (!isOver.getAsBoolean()) {
            if (queue.offer(what, LOOK_MS, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    /** Waits for something; null if all is over before. */
    @Nullable
    T take() throws InterruptedException {
        while (!isOver.getAsBoolean()) {
            T what = queue.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (what != null) {
                return what;
            }
        }
        return null;
    }
}
