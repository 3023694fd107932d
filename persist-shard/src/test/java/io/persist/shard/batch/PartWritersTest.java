package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write that was not begun takes nobody's place. */
class PartWritersTest {

    private static final int MORE_THAN_AT_ONCE = 10;

    /** The writer that comes next would wait for ever. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldGivePlacesBackOfThreadsThatCannotBeStarted() {
        ScarceThreads threads = new ScarceThreads();
        try (PartWriters writers = threads.writers(1 << 10)) {
            Error noThread = new OutOfMemoryError("unable to create native thread");
            threads.fail(noThread);
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThatThrownBy(() -> writers.begin(() -> {})).isSameAs(noThread);
            }
            threads.fail(new RejectedExecutionException());
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThatThrownBy(() -> writers.begin(() -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the client is closed");
            }
            threads.fail(null);
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
        try (PartWriters writers = new ScarceThreads().writers(1 << 10)) {
            for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
                assertThat(writers.begin(() -> {
                            throw new IllegalStateException("the disk is full");
                        }))
                        .isCompletedExceptionally();
            }
        }
    }
}
