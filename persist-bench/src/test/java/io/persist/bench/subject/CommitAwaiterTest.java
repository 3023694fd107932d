package io.persist.bench.subject;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CommitAwaiterTest {

    /** Else a run would say how fast commits are that nobody has synced. */
    @Test
    @Timeout(60)
    void shouldSayThatItsThreadHasFailed() throws InterruptedException {
        LogConfig config =
                LogConfig.builder(Path.of("none")).durability(Durability.SYNCED).build();
        CountDownLatch asked = new CountDownLatch(1);
        CommitAwaiter awaiter = Objects.requireNonNull(CommitAwaiter.startIfNeeded(
                (position, level, timeout) -> {
                    asked.countDown();
                    throw new AssertionError("of a test");
                },
                config));
        awaiter.request(1);
        asked.await();
        assertThatThrownBy(awaiter::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("AssertionError: of a test");
    }
}
