package io.persist.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class ReadThreadsTest {

    private static final String NAME = "persist-read test";

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(NAME))
                .count();
    }

    @Test
    void shouldHelpAtTheSameTimeAndEndWithItsThreads() throws Exception {
        ReadThreads threads = new ReadThreads(NAME);
        CyclicBarrier all = new CyclicBarrier(3);
        threads.help(() -> await(all), 2);
        all.await();
        threads.close();
        assertThat(threads()).isZero();
        threads.help(
                () -> {
                    throw new AssertionError("it is closed");
                },
                1);
        assertThat(threads()).isZero();
    }

    /** More is asked for than there are threads: nothing waits for one. */
    @Test
    void shouldNotKeepWorkForLater() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        CyclicBarrier all = new CyclicBarrier(ReadThreads.MOST + 1);
        ReadThreads threads = new ReadThreads(NAME);
        Runnable work = () -> {
            begun.incrementAndGet();
            await(all);
            awaitEnd(end);
        };
        threads.help(work, 3);
        threads.help(work, 100);
        all.await();
        threads.help(work, 1);
        end.countDown();
        threads.close();
        assertThat(begun).hasValue(ReadThreads.MOST);
    }

    /**
     * Its work has memory of readers, which would stay as long as the store is open. From JDK 19 on the pool starts a
     * thread in another way, which no thread can refuse.
     */
    @Test
    @EnabledForJreRange(max = JRE.JAVA_18)
    void shouldNotKeepAThreadThatCannotBeStarted() {
        List<WeakReference<Thread>> made = new ArrayList<>();
        try (ReadThreads threads = new ReadThreads(body -> {
            Thread thread = new Unstartable(body);
            made.add(new WeakReference<>(thread));
            return thread;
        })) {
            threads.help(() -> {}, 2);
            threads.help(() -> {}, 1);
            assertThat(made).hasSize(2);
            Await.until("they are collected", () -> {
                System.gc();
                return made.stream().allMatch(thread -> thread.get() == null);
            });
            Reference.reachabilityFence(threads);
        }
    }

    private static final class Unstartable extends Thread {

        Unstartable(Runnable body) {
            super(body);
        }

        @Override
        public synchronized void start() {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
