package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a thread factory does with the writer: it runs in the thread that the factory has made, or not at all. */
@Timeout(120)
class WriterStartTest {

    private static final LogConfig LOG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    private final CrashableStorage storage = new CrashableStorage();
    private final Log log = Log.open(LOG, storage);
    private final AtomicReference<Runnable> kept = new AtomicReference<>();
    private final AtomicReference<Thread> started = new AtomicReference<>();
    private final AtomicReference<Throwable> uncaught = new AtomicReference<>();

    private void open(ThreadFactory factory) {
        DetachedLog.over(log, DetachedConfig.builder().threadFactory(factory).build());
    }

    private Thread thread(Runnable body) {
        Thread thread = new Thread(body);
        thread.setUncaughtExceptionHandler((dead, end) -> uncaught.set(end));
        thread.setDaemon(true);
        return thread;
    }

    private void start(Thread thread) {
        started.set(thread);
        thread.start();
    }

    private void checkRefused(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the writer of a detached logger was run ");
    }

    private void checkStartedHasEnded() throws InterruptedException {
        started.get().join(TimeUnit.SECONDS.toMillis(60));
        assertThat(started.get().isAlive()).isFalse();
        assertThat(storage.openHandles()).isZero();
    }

    private void checkRefusedToOpen(ThreadFactory factory) {
        assertThatIllegalStateException()
                .isThrownBy(() -> open(factory))
                .withMessageStartingWith("threadFactory made a thread that ended without running the writer;");
        assertThat(storage.openHandles()).isZero();
    }

    /** Also later, when the log is closed, and nothing of it may be touched. */
    @Test
    void shouldRefuseAThreadThatEndsWithoutRunningTheWriter() {
        checkRefusedToOpen(writer -> {
            kept.set(writer);
            return new Thread(() -> {});
        });
        checkRefused(catchThrowable(() -> kept.get().run()));
    }

    @Test
    void shouldRefuseAThreadThatPassesTheWriterOn() throws Exception {
        checkRefusedToOpen(writer -> new Thread(() -> {
            start(thread(writer));
            try {
                started.get().join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        checkStartedHasEnded();
        checkRefused(uncaught.get());
    }

    @Test
    void shouldEndAThreadThatTheFactoryHasStarted() throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(writer -> {
                    start(thread(writer));
                    return started.get();
                }))
                .withMessageStartingWith("threadFactory has started the thread: state=");
        checkStartedHasEnded();
    }

    /** It comes to the writer when the log is closed, and its control block is not mapped any more. */
    @Test
    void shouldNotRunTheWriterAfterAFailedOpening(@TempDir Path directory) throws Exception {
        Log mapped = Log.open(LogConfig.builder(directory).segmentLength(4096).build());
        CountDownLatch isClosed = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        DetachedConfig config = DetachedConfig.builder()
                .threadFactory(writer -> {
                    start(thread(() -> {
                        Await.latch(isClosed);
                        thrown.set(catchThrowable(writer::run));
                    }));
                    return started.get();
                })
                .build();
        assertThatIllegalArgumentException().isThrownBy(() -> DetachedLog.over(mapped, config));
        isClosed.countDown();
        started.get().join();
        assertThat(thrown.get()).isNull();
        assertThat(mapped.positions().hasFailed()).isFalse();
    }

    /** It begins when it is asked for its state. */
    private static final class Hasty extends Thread {

        private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(200);

        Hasty(Runnable writer) {
            super(() -> {
                writer.run();
                LockSupport.parkNanos(LATE_NS);
            });
        }

        @Override
        public State getState() {
            super.start();
            Await.until("it sleeps", () -> super.getState() == State.TIMED_WAITING);
            return super.getState();
        }
    }

    @Test
    void shouldEndTheWriterBeforeTheLogIsClosed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(writer -> {
                    started.set(new Hasty(writer));
                    return started.get();
                }));
        assertThat(started.get().isAlive()).isFalse();
        assertThat(storage.openHandles()).isZero();
        assertThat(log.positions().hasFailed()).isFalse();
    }

    @Test
    void shouldCloseTheLogWhenTheFactoryMakesNoThread() {
        assertThatNullPointerException().isThrownBy(() -> open(writer -> null));
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldCloseTheLogWhateverTheConfigurationThrows() {
        assertThatNullPointerException().isThrownBy(() -> DetachedLog.over(log, null));
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldCloseTheLogWhenTheFactoryThrows() {
        assertThat(catchThrowable(() -> open(writer -> {
                    throw new OutOfMemoryError("no more threads");
                })))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldEndAThreadThatWasStartedAndNotReturned() throws Exception {
        assertThatNullPointerException()
                .isThrownBy(() -> open(writer -> {
                    start(thread(writer));
                    return null;
                }));
        checkStartedHasEnded();
        checkRefused(uncaught.get());
    }

    @Test
    void shouldRunTheWriterOnce() {
        AtomicReference<Throwable> second = new AtomicReference<>();
        DetachedConfig config = DetachedConfig.builder()
                .threadFactory(writer -> new Thread(() -> {
                    writer.run();
                    second.set(catchThrowable(writer::run));
                }))
                .build();
        try (DetachedLog detached = DetachedLog.over(log, config)) {
            detached.append(new byte[8], 0, 8);
            detached.commit(Durability.SYNCED);
        }
        checkRefused(second.get());
    }
}
