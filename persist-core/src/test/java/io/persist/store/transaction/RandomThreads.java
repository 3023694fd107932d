package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A few threads that do the same at once, each with random numbers of its own. */
final class RandomThreads {

    private static final int THREADS = 4;

    /** What thread {@code number}, from 0, does. */
    @FunctionalInterface
    interface Work {
        void run(int number, Random random);
    }

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** Whether one has failed, and the others need not go on. */
    boolean hasFailed() {
        return failure.get() != null;
    }

    /** Returns when all have come to an end, none by an exception. */
    void run(long seed, Work work) throws InterruptedException {
        Random random = new Random(seed);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Random own = new Random(random.nextLong());
            threads.add(new Thread(() -> {
                try {
                    work.run(number, own);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
    }
}
