package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write that was not begun takes nobody's place. */
class PartWritersTest {

    private static final int MORE_THAN_AT_ONCE = 10;

    /** Begins nothing while {@link #failure} is set; else the caller does it. */
    private static final class Threads extends AbstractExecutorService {

        private Throwable failure;
        private boolean isShutdown;

        @Override
        public void execute(Runnable task) {
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException refused) {
                throw refused;
            }
            task.run();
        }

        @Override
        public void shutdown() {
            isShutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown();
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isShutdown;
        }
    }

    /** The writer that comes next would wait for ever. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldGivePlacesBackOfThreadsThatCannotBeStarted() {
        Threads threads = new Threads();
        try (PartWriters writers = PartWriters.over(1 << 10, threads)) {
            threads.failure = new OutOfMemoryError("unable to create native thread");
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThatThrownBy(() -> writers.begin(() -> {})).isSameAs(threads.failure);
            }
            threads.failure = new RejectedExecutionException();
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThatThrownBy(() -> writers.begin(() -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the client is closed");
            }
            threads.failure = null;
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThat(writers.begin(() -> {})).isCompleted();
            }
        }
        assertThat(threads.isShutdown()).isTrue();
    }

    /** So does one that fails. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldGivePlacesBackOfWritesThatFail() {
        try (PartWriters writers = PartWriters.over(1 << 10, new Threads())) {
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThat(writers.begin(() -> {
                            throw new IllegalStateException("the disk is full");
                        }))
                        .isCompletedExceptionally();
            }
        }
    }
}
