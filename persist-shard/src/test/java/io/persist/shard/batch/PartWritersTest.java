package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.persist.support.Await;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
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
                assertThat(writers.begin(() -> {}, LENGTH).isDone()).isTrue();
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
                                        LENGTH)
                                .failure())
                        .hasMessage("the disk is full");
            }
        }
    }

    /** To say so would need memory, if a task of an executor did: its batch would wait for ever. */
    @Test
    void shouldSayHowAWriteHasEndedWithoutMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] allocated = new long[2];
        OutOfMemoryError failure = new OutOfMemoryError("made before");
        Runnable work = () -> {
            allocated[0] = threads.getCurrentThreadAllocatedBytes();
            throw failure;
        };
        for (int i = 0; i < 2; i++) { // the first one loads classes
            PartWriters.Write write = new PartWriters.Write(work);
            write.run();
            allocated[1] = threads.getCurrentThreadAllocatedBytes();
            assertThat(write.failure()).isSameAs(failure);
        }
        assertThat(allocated[1]).isEqualTo(allocated[0]);
    }

    @Test
    void shouldDoWhatWasBegunBeforeItIsClosed() {
        List<PartWriters.Write> writes = new ArrayList<>();
        CountDownLatch mayWrite = new CountDownLatch(1);
        AtomicInteger written = new AtomicInteger();
        PartWriters writers = PartWriters.start(LENGTH);
        for (int i = 0; i < 4; i++) {
            writes.add(writers.begin(
                    () -> {
                        Await.latch(mayWrite);
                        written.incrementAndGet();
                    },
                    LENGTH));
        }
        writers.close();
        mayWrite.countDown();
        writes.forEach(PartWriters.Write::await);
        assertThat(written.get()).isEqualTo(4);
    }

    /** An append waits for it. */
    @Test
    void shouldDoWhatWasBegunOnAThreadThatHasNotComeToItsFirstTurn() {
        for (int i = 0; i < 20; i++) { // most of them have not come so far
            PartWriters writers = PartWriters.start(LENGTH);
            PartWriters.Write write = writers.begin(() -> {}, LENGTH);
            writers.close();
            Await.until("it is written", write::isDone);
        }
    }

    /** After an interrupt they all do so for a moment. */
    @Test
    void shouldDoWhatWasBegunWhileItsThreadsPause() {
        Queue<Thread> interrupted = new ConcurrentLinkedQueue<>();
        CountDownLatch allBegun = new CountDownLatch(4); // each on a thread of its own
        PartWriters writers = PartWriters.start(LENGTH);
        for (int i = 0; i < 4; i++) {
            writers.begin(
                    () -> {
                        allBegun.countDown();
                        Await.latch(allBegun);
                        Thread.currentThread().interrupt();
                        interrupted.add(Thread.currentThread());
                    },
                    LENGTH);
        }
        Await.until(
                "they pause, or have done so",
                () -> interrupted.stream().filter(PartWritersTest::isWaiting).count() == 4);
        PartWriters.Write write = writers.begin(() -> {}, LENGTH);
        writers.close();
        Await.until("it is written", write::isDone);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
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
