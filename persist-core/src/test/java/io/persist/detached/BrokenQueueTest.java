package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.log.LogConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A producer that claims an entry and then fails. The writer thread learns of it without another call. */
class BrokenQueueTest {

    private final Log log = Log.open(LogConfig.builder(Path.of("memory")).build(), new CrashableStorage());
    private final HandoffQueue queue = new HandoffQueue(4, 1 << 20, log.position(), log.layout());
    private final Queue<Long> sleeps = new ConcurrentLinkedQueue<>();
    private final DetachedWriter writer =
            new DetachedWriter(log, queue, new Requests(), WaitStrategy.BLOCKING, this::sleep);
    private final QueueProducer producer =
            new QueueProducer(log.positions(), queue, writer, log.layout(), Long.MAX_VALUE);
    private final Thread thread = writer.starting().make(Thread::new, writer, "memory");
    private final FutureTask<Long> append = new FutureTask<>(() -> producer.append(new byte[10], 0, 10));
    private final Thread appends = new Uninterruptible(append);

    /** A thread that fails where a producer says again that it was interrupted, which is once it has its entry. */
    private static final class Uninterruptible extends Thread {
        Uninterruptible(Runnable runnable) {
            super(runnable);
        }

        @Override
        public void interrupt() {
            if (Thread.currentThread() == this) {
                throw new IllegalCallerException("it must not interrupt itself");
            }
            super.interrupt();
        }
    }

    /** The longest sleep is without an end here, so that nothing is noticed by chance. */
    private void sleep(Object blocker, long ns) {
        sleeps.add(ns);
        if (ns == WriterIdle.LONGEST_SLEEP_NS) {
            failToHandOver();
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, ns);
        }
    }

    /** Has a producer wait for an entry, and interrupts it meanwhile. The writer thread is about to sleep. */
    private void failToHandOver() {
        for (int i = 0; i < queue.depth(); i++) {
            producer.entry(10).publish();
        }
        appends.start();
        Await.until("it waits for an entry", () -> appends.getState() == Thread.State.TIMED_WAITING);
        appends.interrupt();
        Await.until("it has seen the interrupt", () -> !appends.isInterrupted());
        queue.drain(entry -> {}, queue.depth());
    }

    @BeforeEach
    void begin() {
        thread.setDaemon(true);
        appends.setDaemon(true);
        log.writtenBy(thread);
    }

    @AfterEach
    void end() throws InterruptedException {
        queue.isBroken = true;
        writer.idle().wake();
        thread.join();
        assertThat(catchThrowable(log::close)).isInstanceOf(LogIOException.class);
    }

    /** As one that has no stack left for a call. */
    @Test
    void shouldBeNoticedThoughNobodyWakesTheWriterThread() {
        producer.entry(10);
        thread.start();
        Await.until("it sleeps", () -> !sleeps.isEmpty());
        assertThat(sleeps).containsOnly(WriterIdle.CLAIMED_SLEEP_NS);
        queue.isBroken = true;
        awaitFailure();
    }

    /** It sleeps since before the claim. */
    @Test
    void shouldWakeTheWriterThread() {
        thread.start();
        awaitFailure();
        assertThat(sleeps).startsWith(WriterIdle.LONGEST_SLEEP_NS);
        assertThatThrownBy(append::get).hasCauseInstanceOf(IllegalCallerException.class);
    }

    private void awaitFailure() {
        Await.until("the log has failed", log.positions()::hasFailed);
        assertThat(catchThrowable(producer::check))
                .isInstanceOf(LogIOException.class)
                .hasStackTraceContaining("a thread failed while it handed over a record");
    }
}
