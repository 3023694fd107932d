package io.persist.shard.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RoundThreadsTest {

    /** Each part waits for the other one. */
    @Test
    void shouldDoAllPartsAtTheSameTimeAndOnceInARound() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        AtomicInteger done = new AtomicInteger();
        Runnable part = () -> {
            try {
                together.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            done.incrementAndGet();
        };
        try (RoundThreads threads = new RoundThreads("test", List.of(part, part))) {
            for (int round = 1; round <= 100; round++) {
                threads.run();
                assertThat(done).hasValue(2 * round);
            }
        }
    }

    /** The other one has done its part, or does it no more. */
    @Test
    void shouldThrowWhatHasEndedAPart() throws Exception {
        OutOfMemoryError full = new OutOfMemoryError("of a test");
        AtomicInteger rounds = new AtomicInteger();
        Runnable dying = () -> {
            if (rounds.incrementAndGet() == 2) {
                throw full;
            }
        };
        try (RoundThreads threads = new RoundThreads("test", List.of(() -> {}, dying))) {
            threads.run();
            assertThatThrownBy(threads::run).isSameAs(full);
            assertThatThrownBy(threads::run).isSameAs(full);
        }
    }
}
