package io.persist.bench.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkThreadsTest {

    private final CountDownLatch busy = new CountDownLatch(1);
    private final AtomicBoolean isEnded = new AtomicBoolean();

    /** Until it is interrupted. */
    private int busyForEver() throws InterruptedException {
        try {
            busy.countDown();
            new CountDownLatch(1).await();
            return 0;
        } finally {
            isEnded.set(true);
        }
    }

    private int fail() throws InterruptedException {
        busy.await();
        throw new IllegalStateException("of the second");
    }

    @Test
    void shouldHaveWhatComesOfEachInTheirOrder() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        List<Callable<Integer>> parts = List.of(
                () -> {
                    second.await();
                    return 1;
                },
                () -> {
                    second.countDown();
                    return 2;
                });
        try (WorkThreads<Integer> threads = WorkThreads.start("test", parts)) {
            assertThat(threads.results()).containsExactly(1, 2);
        }
    }

    /** It is not the first in their order that counts, but the one that failed first. */
    @Test
    void shouldEndAllWhenOneFails() {
        try (WorkThreads<Integer> threads = WorkThreads.start("test", List.of(this::busyForEver, this::fail))) {
            assertThatThrownBy(threads::results)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("of the second");
            assertThat(isEnded).isTrue();
        }
    }

    @Test
    void shouldThrowACheckedExceptionAsTheCause() {
        Callable<Integer> failing = () -> {
            throw new IOException("no disk");
        };
        try (WorkThreads<Integer> threads = WorkThreads.start("test", List.of(failing))) {
            assertThatThrownBy(threads::results)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("no disk");
        }
    }

    @Test
    void shouldEndAllWhenItIsClosed() throws InterruptedException {
        WorkThreads<Integer> threads = WorkThreads.start("test", List.of(this::busyForEver));
        busy.await();
        threads.close();
        assertThat(isEnded).isTrue();
    }

    /** Once one runs it may take all the memory: then there is none to make another one, or to note that it runs. */
    @Test
    void shouldStartNoneBeforeAllAreMade() {
        List<Callable<Integer>> parts = new AbstractList<>() {
            @Override
            public Callable<Integer> get(int index) {
                if (index > 0) {
                    throw new OutOfMemoryError("for the second");
                }
                return WorkThreadsTest.this::busyForEver;
            }

            @Override
            public int size() {
                return 2;
            }
        };
        assertThatThrownBy(() -> WorkThreads.start("test", parts)).hasMessage("for the second");
        assertThat(isEnded).as("the first has begun").isFalse();
    }
}
