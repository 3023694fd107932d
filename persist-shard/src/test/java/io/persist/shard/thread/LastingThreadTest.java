package io.persist.shard.thread;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.persist.support.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LastingThreadTest {

    private final AtomicInteger turns = new AtomicInteger();

    @Test
    void shouldGoOnWhateverItsWorkThrows() {
        Throwable[] thrown = {new OutOfMemoryError("of this test"), new IOException("as if"), new InterruptedException()
        };
        LastingThread thread = LastingThread.start("test", () -> {
            int turn = turns.getAndIncrement();
            if (turn < thrown.length) {
                throwAsItIs(thrown[turn]);
            }
        });
        Await.until("it has outlived them", () -> turns.get() > thrown.length);
        thread.end();
        thread.awaitEnd();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void throwAsItIs(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    void shouldOutliveAnInterrupt() {
        LastingThread thread = LastingThread.start("test", () -> {
            if (turns.getAndIncrement() < 2) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("before the pause, which the interrupt ends");
            }
        });
        Await.until("it goes on", () -> turns.get() > 2);
        thread.end();
        thread.awaitEnd();
    }

    /** Where it matters there is none. */
    @Test
    void shouldNeedNoMemoryBetweenTwoTurns() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        IllegalStateException failure = new IllegalStateException("made before");
        long[] allocated = new long[4];
        LastingThread thread = LastingThread.start("test", () -> {
            int turn = turns.get();
            if (turn < allocated.length) {
                allocated[turn] = threads.getCurrentThreadAllocatedBytes();
                turns.set(turn + 1);
                throw failure;
            }
        });
        Await.until("it has had its turns", () -> turns.get() == allocated.length);
        thread.end();
        thread.awaitEnd();
        assertThat(allocated[3]).isEqualTo(allocated[2]).isPositive();
    }

    @Test
    void shouldEndWhileItPauses() {
        CountDownLatch begun = new CountDownLatch(1);
        LastingThread thread = LastingThread.start("test", () -> {
            turns.incrementAndGet();
            begun.countDown();
            throw new IllegalStateException("of this test");
        });
        Await.latch(begun);
        thread.end();
        thread.awaitEnd();
        assertThat(turns.get()).isEqualTo(1);
    }
}
