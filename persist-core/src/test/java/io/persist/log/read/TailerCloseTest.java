package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.RecordHandler;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.support.OwnThreads;
import io.persist.testkit.CrashableStorage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two threads close one tailer, and a third one, or one of them, is reading. */
class TailerCloseTest {

    private static final String NAME = "billing";

    private final CrashableStorage storage = new CrashableStorage();
    private Log log;

    @BeforeEach
    void open() {
        log = TailedLog.open(TailedLog.config(WriteMode.MAPPED), storage, 10);
        log.flush();
    }

    @AfterEach
    void close() {
        log.close();
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    private Tailer tailer() {
        return Tailer.open(storage, NAME, TailerConfig.defaults());
    }

    /** A thread that reads, and knows when another one that closes looks where it is. */
    private static final class Reading extends Thread {

        private final Consumer<Reading> atLook;
        private int looks;

        Reading(Runnable work, Consumer<Reading> atLook) {
            super(work);
            this.atLook = atLook;
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            looks++;
            atLook.accept(this);
            return super.getStackTrace();
        }

        boolean isBlocked() {
            return Await.waitsForTurn(this);
        }
    }

    @Test
    void shouldReturnToTheSecondThreadWhenItIsClosed() throws Exception {
        CountDownLatch isLooking = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Tailer tailer = tailer();
        OwnThreads.run(() -> {
            Thread reading = new Reading(tailer::next, thread -> {
                isLooking.countDown();
                Await.latch(mayGoOn);
            });
            reading.start();
            reading.join();
            Thread first = new Thread(tailer::close);
            first.start();
            Await.latch(isLooking);
            Thread second = new Thread(() -> {
                tailer.close();
                tailer().close(); // which is refused as long as there is another one with this name
            });
            second.start();
            Await.until("it waits or has ended", () -> Await.waitsForTurn(second) || !second.isAlive());
            mayGoOn.countDown();
            first.join();
            second.join();
        });
    }

    @Test
    void shouldNotWaitForTheReadingThreadThatClosesItToo() throws Exception {
        Tailer tailer = tailer();
        closeMeanwhile(tailer, others -> {
            tailer.next();
            others.run();
            tailer.close();
        });
    }

    @Test
    void shouldNotWaitForAHandlerThatClosesItToo() throws Exception {
        Tailer tailer = tailer();
        closeMeanwhile(
                tailer,
                others -> tailer.poll(
                        (position, sequence, payload) -> {
                            others.run();
                            tailer.close();
                        },
                        1));
    }

    /** A store may lead a sync, and then it tells listeners. */
    @Test
    void shouldWaitForAStoreWhoseListenerPollsAnotherTailer() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        AtomicBoolean isClosed = new AtomicBoolean();
        AtomicBoolean wasClosedWithin = new AtomicBoolean();
        Tailer tailer = log.tailer(NAME, TailerConfig.defaults());
        Thread closing = new Thread(() -> {
            tailer.close();
            isClosed.set(true);
        });
        try (Tailer other = log.tailer(TailerConfig.defaults())) {
            RecordHandler handler = (position, sequence, payload) -> {
                closing.start();
                Await.until("it looks again, or is done", () -> looks.get() > 1 || isClosed.get());
                wasClosedWithin.set(isClosed.get());
            };
            log.listen(Durability.SYNCED, position -> other.poll(handler, 1));
            OwnThreads.run(() -> {
                Thread reading = new Reading(
                        () -> {
                            tailer.next();
                            tailer.store();
                        },
                        thread -> looks.incrementAndGet());
                reading.start();
                reading.join();
                closing.join();
            });
        }
        assertThat(wasClosedWithin).as("closed while the thread was in store").isFalse();
    }

    /**
     * Does {@code work}, which closes the tailer, and before that runs what begins to close it in another thread. That
     * one looks where this one is when this one waits for it.
     */
    private static void closeMeanwhile(Tailer tailer, Consumer<Runnable> work) throws Exception {
        CountDownLatch isLooking = new CountDownLatch(1);
        OwnThreads.run(() -> {
            Thread first = new Thread(tailer::close);
            Runnable begin = () -> {
                first.start();
                Await.latch(isLooking);
            };
            Reading reading = new Reading(() -> work.accept(begin), thread -> {
                isLooking.countDown();
                assertThat(thread.looks).as("looks at the thread that waits").isEqualTo(1);
                Await.until("it closes the tailer too", thread::isBlocked);
            });
            reading.start();
            reading.join();
            first.join();
        });
    }
}
