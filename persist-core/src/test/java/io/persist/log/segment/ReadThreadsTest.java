package io.persist.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

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
