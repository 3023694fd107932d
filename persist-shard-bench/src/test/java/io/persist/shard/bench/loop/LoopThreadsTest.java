package io.persist.shard.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopThreadsTest {

    private static final long SOON_NS = TimeUnit.SECONDS.toNanos(60);

    private final CountDownLatch over = new CountDownLatch(1);

    /** On a full heap it dies of what it does last, after its work is done. */
    @Test
    void shouldNoticeAThreadThatDiesAtItsEnd() throws InterruptedException {
        OutOfMemoryError full = new OutOfMemoryError("of a test");
        LoopThreads threads = new LoopThreads(() -> {
            throw full;
        });
        threads.begin("done", () -> {});

        assertThat(threads.awaitEnd(SOON_NS)).isTrue();
        assertThat(threads.failure()).isSameAs(full);
    }

    @Test
    void shouldNotWaitForTheOthersWhenOneHasFailed() throws InterruptedException {
        LoopThreads threads = new LoopThreads(() -> {});
        threads.begin("busy", () -> Await.latch(over));
        IllegalStateException wrong = new IllegalStateException("of a test");
        threads.begin("failing", () -> {
            throw wrong;
        });
        Await.until("the failure", () -> threads.failure() != null);

        assertThat(threads.awaitEnd(SOON_NS)).isTrue();
        assertThat(threads.failure()).isSameAs(wrong);
        over.countDown();
        threads.join();
    }

    @Test
    void shouldKnowThatOneIsBusy() throws InterruptedException {
        LoopThreads threads = new LoopThreads(() -> {});
        threads.begin("done", () -> {});
        threads.begin("busy", () -> Await.latch(over));

        assertThat(threads.awaitEnd(1)).isFalse();
        over.countDown();
        threads.join();
        assertThat(threads.awaitEnd(1)).isTrue();
        assertThat(threads.failure()).isNull();
    }
}
