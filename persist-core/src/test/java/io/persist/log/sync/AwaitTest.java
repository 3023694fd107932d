package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.support.Await;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@MappedAndFile
class AwaitTest {

    private static final int THREADS = 8;

    @Parameter
    WriterKind kind;

    private final CrashableStorage storage = new CrashableStorage();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Log log;

    @BeforeEach
    void open() {
        log = Log.open(kind.config().segmentLength(1 << 20).build(), storage);
        Await.until("two segments are prepared", () -> storage.list().size() == 5);
    }

    @AfterEach
    void close() throws InterruptedException {
        storage.hook((number, what) -> {});
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    /** A device whose flushes wait until they are let go. */
    private final class SlowDevice {

        final CountDownLatch flushing = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);

        SlowDevice(boolean fails) {
            storage.hook((number, what) -> {
                if (what.startsWith("force 0") || what.startsWith("sync 0")) {
                    flushing.countDown();
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    if (fails) {
                        throw new IOException("device is gone");
                    }
                }
            });
        }
    }

    private Future<Boolean> await(long position, Durability level) {
        Callable<Boolean> wait = () -> log.await(position, level, Duration.ofSeconds(30));
        return threads.submit(wait);
    }

    @Test
    void shouldReturnAtOnceWhenThePositionIsSafe() throws InterruptedException {
        Records.append(log, 10);
        long end = log.commit(Durability.SYNCED);
        for (Durability level : Durability.values()) {
            assertThat(log.await(end, level, Duration.ZERO)).isTrue();
            assertThat(log.await(0, level, Duration.ZERO)).isTrue();
        }
    }

    @Test
    void shouldReturnFalseWhenTheTimeIsOver() throws InterruptedException {
        Records.append(log, 10);
        for (Durability level : Durability.values()) {
            assertThat(log.await(log.position() + 1, level, Duration.ZERO)).isFalse();
            assertThat(log.await(log.position() + 1, level, Duration.ofMillis(2)))
                    .isFalse();
            assertThat(log.await(log.position() + 1, level, Duration.ofSeconds(-5)))
                    .isFalse();
        }
    }

    /** It would wait for itself. */
    @Test
    void shouldFlushForTheThreadThatAppends() throws Exception {
        long first = Records.append(log);
        assertThat(log.await(first, Durability.FLUSHED, Duration.ZERO)).isTrue();
        long second = Records.append(log);
        assertThat(log.await(second, Durability.BUFFERED, Duration.ZERO)).isTrue();
        assertThat(log.await(second, Durability.SYNCED, Duration.ofSeconds(30))).isTrue();
        long third = Records.append(log);
        assertThat(log.reached(third, Durability.FLUSHED)).isCompletedWithValue(third);
        long fourth = Records.append(log);
        assertThat(log.reached(fourth, Durability.SYNCED).get(30, TimeUnit.SECONDS))
                .isEqualTo(fourth);
    }

    /** A commit BUFFERED completes none, even if what it ends is FLUSHED at once: that would cost it a fence. */
    @Test
    void shouldCompleteAFutureOfWhatComesLaterWithACallOfItsLevel() {
        for (Runnable call :
                List.<Runnable>of(() -> log.commit(Durability.FLUSHED), () -> log.flush(), () -> log.sync())) {
            CompletableFuture<Long> future = log.reached(log.position() + 1, Durability.FLUSHED);
            Records.append(log);
            long end = log.commit(Durability.BUFFERED);
            assertThat(future).isNotDone();
            call.run();
            assertThat(future).isCompletedWithValue(end);
        }
    }

    /** What it waits for may be flushed later: it must not throw what the thread that appends is told. */
    @Test
    void shouldNotFlushForAnotherThreadNorInAClaim() throws Exception {
        long end = Records.append(log);
        CompletableFuture<Long> others = CompletableFuture.supplyAsync(
                        () -> log.reached(end, Durability.SYNCED), threads)
                .get(30, TimeUnit.SECONDS);
        Claim claim = log.claim(8);
        CompletableFuture<Long> own = log.reached(end, Durability.SYNCED);
        if (!kind.isMapped()) {
            assertThat(log.flushedPosition()).isLessThan(end);
        }
        claim.abort();
        log.flush();
        assertThat(others.get(30, TimeUnit.SECONDS)).isEqualTo(end);
        assertThat(own.get(30, TimeUnit.SECONDS)).isEqualTo(end);
    }

    @Test
    void shouldSyncForThreadsThatWait() throws Exception {
        Records.append(log, 10);
        log.flush();
        Future<Boolean> waiting = await(log.position(), Durability.SYNCED);
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(log.syncedPosition()).isEqualTo(log.position());
    }

    @Test
    void shouldShareOneSyncAmongAllThatWait() throws Exception {
        SlowDevice device = new SlowDevice(false);
        List<Future<Boolean>> waiting = new ArrayList<>();
        Records.append(log, 10);
        log.flush();
        waiting.add(await(log.position(), Durability.SYNCED));
        device.flushing.await();
        for (int i = 0; i < THREADS; i++) {
            Records.append(log, 10);
            log.flush();
            waiting.add(await(log.position(), Durability.SYNCED));
        }
        assertThat(log.statistics().syncs()).isEqualTo(1);
        device.go.countDown();
        for (Future<Boolean> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(log.syncedPosition()).isEqualTo(log.position());
        assertThat(log.statistics().syncs())
                .as("one for the first, one for all others")
                .isEqualTo(2);
    }

    @Test
    void shouldAppendWhileADeviceIsSlow() throws Exception {
        SlowDevice device = new SlowDevice(false);
        Records.append(log, 1);
        log.flush();
        Future<Boolean> waiting = await(log.position(), Durability.SYNCED);
        device.flushing.await();
        long synced = log.syncedPosition();
        Records.append(log, 1000);
        log.commit(Durability.FLUSHED);
        assertThat(log.lastSequence()).isEqualTo(1001);
        assertThat(log.syncedPosition()).isEqualTo(synced);
        assertThat(waiting.isDone()).isFalse();
        device.go.countDown();
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldWakeWhoWaitsForWhatIsAppendedLater() throws Exception {
        byte[] record = new byte[100];
        long goal = log.position() + 10 * 128;
        List<Future<Boolean>> waiting = new ArrayList<>();
        for (Durability level : Durability.values()) {
            waiting.add(await(goal, level));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(waiting).noneMatch(Future::isDone);
            log.append(record, 0, record.length);
        }
        assertThat(log.position()).isEqualTo(goal);
        log.flush();
        for (Future<Boolean> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldTellEveryThreadThatWaitsOfAFailure() throws Exception {
        SlowDevice device = new SlowDevice(true);
        Records.append(log, 10);
        log.flush();
        List<Future<Boolean>> waiting = new ArrayList<>();
        waiting.add(await(log.position(), Durability.SYNCED));
        device.flushing.await();
        for (int i = 0; i < THREADS; i++) {
            waiting.add(await(log.position(), Durability.SYNCED));
        }
        waiting.add(await(log.position() + 1000, Durability.BUFFERED));
        device.go.countDown();
        Throwable first = null;
        for (Future<Boolean> each : waiting) {
            Throwable failure = failureOf(each);
            assertThat(failure).isInstanceOf(LogIOException.class).hasMessageContaining("device is gone");
            first = first == null ? failure : first;
            assertThat(failure).isSameAs(first);
        }
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Records.append(log))
                .isSameAs(first);
        assertThat(log.syncedPosition()).isLessThan(log.position());
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close).withMessageContaining("device is gone");
    }

    private static Throwable failureOf(Future<Boolean> future) throws Exception {
        try {
            throw new AssertionError("acknowledged: " + future.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    @Test
    void shouldEndTheWaitWhenTheLogIsClosed() throws Exception {
        long beyond = log.position() + 1;
        List<Future<Boolean>> waiting = new ArrayList<>();
        for (Durability level : Durability.values()) {
            waiting.add(await(beyond, level));
        }
        log.close();
        for (Future<Boolean> each : waiting) {
            assertThat(failureOf(each))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("logger is closed");
        }
    }

    @Test
    void shouldServeManyThreadsWhileTheLogIsWritten() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Future<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            waiting.add(threads.submit(() -> {
                long rounds = 0;
                do { // once at least: a busy machine may start this thread when all is written
                    long position = log.position();
                    boolean safe = log.await(position, Durability.SYNCED, Duration.ofSeconds(30));
                    assertThat(safe).isTrue();
                    assertThat(log.syncedPosition()).isGreaterThanOrEqualTo(position);
                    rounds++;
                } while (!over.get());
                return rounds;
            }));
        }
        for (int i = 0; i < 20_000; i++) {
            Records.append(log);
            log.flush();
        }
        over.set(true);
        for (Future<Long> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isPositive();
        }
    }
}
