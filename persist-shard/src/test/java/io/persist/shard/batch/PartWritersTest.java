package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.support.Await;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write that was not begun takes nobody's place. */
class PartWritersTest {

    private static final int MORE_THAN_AT_ONCE = 10;
    private static final int LENGTH = 1 << 10;
    private static final int LONG = 1 << 20;

    /** The writer that comes next would wait for ever. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldGivePlacesBackOfThreadsThatCannotBeStarted() {
        ScarceThreads threads = new ScarceThreads();
        try (PartWriters writers = threads.writers(1 << 10)) {
            Error noThread = new OutOfMemoryError("unable to create native thread");
            threads.fail(noThread);
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThatThrownBy(() -> writers.begin(() -> {}, LENGTH)).isSameAs(noThread);
            }
            threads.fail(new RejectedExecutionException());
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThatThrownBy(() -> writers.begin(() -> {}, LENGTH))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the client is closed");
            }
            threads.fail(null);
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThat(writers.begin(() -> {}, LENGTH)).isCompleted();
            }
        }
        assertThat(threads.isShutdown()).isTrue();
    }

    /** So does one that fails. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldGivePlacesBackOfWritesThatFail() {
        try (PartWriters writers = new ScarceThreads().writers(1 << 10)) {
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThat(writers.begin(
                                () -> {
                                    throw new IllegalStateException("the disk is full");
                                },
                                LENGTH))
                        .isCompletedExceptionally();
            }
        }
    }

    /** Memory has a bound by bytes, too: four long ones would be as long as their rows are. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldWriteOneLongPartAtATime() throws InterruptedException {
        BusyThreads threads = new BusyThreads();
        try (PartWriters writers = PartWriters.over(LENGTH, threads)) {
            writers.begin(() -> {}, LONG);
            Thread second = new Thread(() -> writers.begin(() -> {}, LONG));
            second.start();
            Await.until(
                    "the second one waits",
                    () -> second.getState() == Thread.State.WAITING || second.getState() == Thread.State.TERMINATED);
            assertThat(threads.tasks).hasSize(1);
            threads.tasks.remove().run();
            second.join();
            assertThat(threads.tasks).hasSize(1);
        }
    }

    /** Threads that have something else to do until the test runs what they were given. */
    private static final class BusyThreads extends ScarceThreads {

        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }
    }
}
