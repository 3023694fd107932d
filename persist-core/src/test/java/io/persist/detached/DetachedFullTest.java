package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.LogMonitor;
import io.persist.error.LogFullException;
import io.persist.error.PersistException;
import io.persist.error.QueueFullException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.log.space.Headroom.Reserve;
import io.persist.log.thread.Turn;
import io.persist.monitor.LogStatistics;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A full queue and a full disk: who is told, what waits, and how it goes on. */
class DetachedFullTest {

    private static final int LENGTH = 4096;
    private static final int CONTROL = ModelScenario.CONTROL_LENGTH;
    private static final long SPACE = 1L << 40;

    private final CrashableStorage storage = new CrashableStorage();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Ledger ledger = new Ledger();
    private volatile int number; // one thread at a time counts
    private DetachedLog log;

    private void open(WriteMode mode, DetachedConfig.Builder config) {
        LogConfig logConfig = LogConfig.builder(Path.of("memory"))
                .segmentLength(LENGTH)
                .writeMode(mode)
                .build();
        log = DetachedLog.over(Log.open(logConfig, storage), config.build());
        ledger.commit(log.position());
    }

    @AfterEach
    void end() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    private long append() {
        byte[] record = Ledger.record(0, number, 500);
        long end = log.append(record, 0, record.length);
        ledger.accept(0, number++, 500, end);
        return end;
    }

    private LogFullException appendUntilFull() {
        for (int i = 0; i < 10_000; i++) {
            try {
                append();
            } catch (LogFullException full) {
                return full;
            }
        }
        throw new AssertionError("the disk is never full");
    }

    /** Appends a record, once it is not refused any more by a {@code refusal}. */
    private void appendOnceNot(Class<? extends PersistException> refusal) {
        Await.until("records are taken again", () -> {
            try {
                append();
                return true;
            } catch (PersistException e) {
                if (!refusal.isInstance(e)) {
                    throw e;
                }
                return false;
            }
        });
    }

    private int missing() {
        try (Tailer tailer = log.tailer()) {
            return ledger.check(tailer);
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldGoOnWhenThereIsSpaceAgain(WriteMode mode) throws Exception {
        storage.capacityBytes(CONTROL + 5 * LENGTH);
        open(mode, DetachedConfig.builder().queueDepth(8));
        LogFullException full = appendUntilFull();
        assertThat(full).hasMessageContaining("log is full").hasMessageContaining("accepted records wait in the queue");
        Callable<?> sync = () -> log.await(log.position() + 3 * LENGTH, Durability.SYNCED, Duration.ofSeconds(30));
        assertThat(threads.submit(() -> catchThrowable(sync::call)).get(30, TimeUnit.SECONDS))
                .isInstanceOf(LogFullException.class);
        assertThat(catchThrowable(() -> log.commit(Durability.SYNCED))).isInstanceOf(LogFullException.class);
        assertThat(catchThrowable(log::flush)).isInstanceOf(LogFullException.class);
        assertThat(catchThrowable(log::sync)).isInstanceOf(LogFullException.class);
        assertThat(catchThrowable(() -> log.claim(5))).isInstanceOf(LogFullException.class);
        storage.capacityBytes(SPACE);
        appendOnceNot(LogFullException.class);
        ledger.commit(log.commit(Durability.SYNCED));
        assertThat(missing()).isZero();
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldRetireSegmentsWhileTheDiskIsFull(WriteMode mode) {
        storage.capacityBytes(CONTROL + 6 * LENGTH);
        open(mode, DetachedConfig.builder().queueDepth(8));
        appendUntilFull();
        ledger.retired();
        log.retire(log.planRetention(RetentionRule.keepBytes(LENGTH)), Retirement.DELETE);
        appendOnceNot(LogFullException.class);
        log.sync();
        assertThat(missing()).isZero();
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldCountWhatCouldNotBeWrittenBeforeItWasClosed(WriteMode mode) {
        storage.capacityBytes(CONTROL + 5 * LENGTH);
        open(mode, DetachedConfig.builder().queueDepth(8));
        appendUntilFull();
        CompletableFuture<Long> written = log.reached(log.flushedPosition(), Durability.SYNCED);
        CompletableFuture<Long> unwritten = log.reached(log.position() + 10 * LENGTH, Durability.FLUSHED);
        Throwable atClose = catchThrowable(log::close);
        assertThat(written).isCompleted();
        assertThat(unwritten).isCompletedExceptionally();
        assertThat(storage.openHandles()).isZero();
        storage.capacityBytes(SPACE);
        Throwable again = catchThrowable(log::close);
        assertThat(again).isNull();
        assertThatIllegalStateException().isThrownBy(this::append).withMessage("logger is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> log.commit(Durability.BUFFERED))
                .withMessage("logger is closed");
        open(mode, DetachedConfig.builder());
        int missing = missing();
        assertThat(missing).isPositive();
        assertThat(atClose)
                .isInstanceOf(LogFullException.class)
                .hasMessageContaining("; " + missing + " accepted records could not be written")
                .hasMessageEndingWith("those after position " + log.position());
    }

    /** In the queue is the end of a segment. What cuts the first attempt short is no failure of the log. */
    @Test
    void shouldNotCountWhatTheQueueHasLetGoOfWhenItIsClosedAgain() {
        storage.capacityBytes(CONTROL + 5 * LENGTH);
        open(WriteMode.MAPPED, DetachedConfig.builder().queueDepth(8));
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> {
            while (true) {
                append();
                log.flush();
                log.roll();
                log.flush();
            }
        });
        storage.hook((count, what) -> {
            if (what.equals("force control")) {
                throw new OutOfMemoryError("none to say it");
            }
        });
        assertThat(catchThrowable(log::close)).isInstanceOf(OutOfMemoryError.class);
        storage.hook((count, what) -> {});
        assertThat(catchThrowable(log::close)).isNull();
        assertThat(storage.openHandles()).isZero();
    }

    /** After it has found the disk full with the queue closed, and although it takes no more than 1024 at a time. */
    @Test
    void shouldWriteAllThatIsInTheQueueIfThereIsSpaceAgainWhileItIsClosed() throws Exception {
        storage.capacityBytes(CONTROL + 5 * LENGTH);
        open(WriteMode.MAPPED, DetachedConfig.builder().queueDepth(4096));
        CountDownLatch isCalled = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        log.listen(Durability.SYNCED, position -> {
            isCalled.countDown();
            Await.latch(mayGoOn);
        });
        log.listen(Durability.FLUSHED, position -> {
            if (catchThrowable(((QueueProducer) log.recordSpace())::check) != null) { // it has found the disk full
                makeSpace();
            }
        });
        log.reached(append(), Durability.SYNCED);
        Await.latch(isCalled);
        long end = 0;
        for (int i = 0; i < 3000; i++) {
            end = append();
        }
        log.reached(end, Durability.SYNCED); // so that it tries again before the next look at whether it gives up
        Future<?> closing = threads.submit(log::close);
        Await.until("the queue is closed", () -> catchThrowable(log::handOver) != null);
        mayGoOn.countDown();
        closing.get(30, TimeUnit.SECONDS);
        open(WriteMode.MAPPED, DetachedConfig.builder());
        assertThat(missing()).isZero();
    }

    /** And waits until the log has a segment in it. */
    private void makeSpace() {
        storage.capacityBytes(SPACE);
        Await.until(
                "there is another segment",
                () -> log.statistics().segmentsFilled() > log.statistics().rolls());
    }

    /** A queue whose writer thread waits for the device. */
    private HeldSyncs fill(DetachedConfig.Builder config) {
        HeldSyncs syncs = new HeldSyncs();
        open(WriteMode.MAPPED, config.queueDepth(4));
        Await.until("two segments are prepared", () -> storage.list().size() == 5);
        append();
        storage.hook(syncs);
        syncs.hold();
        log.reached(log.position() + 1, Durability.SYNCED);
        append();
        syncs.awaitHeld();
        return syncs;
    }

    @Test
    void shouldFailAtOnceWhenTheQueueIsFull() {
        HeldSyncs syncs = fill(DetachedConfig.builder().failWhenFull());
        shouldRefuseUntilThereIsAFreeEntry(syncs);
    }

    /** A thread may have waited for its turn before. */
    @Test
    void shouldCountAWaitFromItsBeginning() {
        HeldSyncs syncs = fill(DetachedConfig.builder().waitWhenFull(Duration.ofHours(1)));
        while (log.recordSpace().has(1, 0, Reserve.KEEP)) {
            append();
        }
        log.recordSpace().await(1, Reserve.KEEP, System.nanoTime(), () -> false);
        long startNs = System.nanoTime() - Duration.ofHours(2).toNanos();
        assertThatExceptionOfType(QueueFullException.class)
                .isThrownBy(() -> log.recordSpace().await(1, Reserve.KEEP, startNs, () -> true));
        syncs.releaseAll();
        log.recordSpace().await(1, Reserve.KEEP, System.nanoTime(), () -> true);
    }

    /** Behind a thread that waits others go on as soon as the queue is empty: it may be one that does not run. */
    @Test
    void shouldHaveRoomBehindAThreadThatWaitsIfThereNeverIsForTwo() {
        open(WriteMode.MAPPED, DetachedConfig.builder().queueDepth(1));
        assertThat(log.recordSpace().has(1, 1, Reserve.KEEP)).isTrue();
    }

    @Test
    void shouldFailInTimeWhenTheQueueIsFull() {
        HeldSyncs syncs = fill(DetachedConfig.builder().waitWhenFull(Duration.ofMillis(3)));
        shouldRefuseUntilThereIsAFreeEntry(syncs);
    }

    /** What another process sees. */
    private LogStatistics seen() {
        return new LogMonitor(storage).read().statistics();
    }

    @Test
    void shouldShowTheQueueWhileTheDeviceDoesNotAnswer() {
        long beforeMs = System.currentTimeMillis();
        HeldSyncs syncs = fill(DetachedConfig.builder().failWhenFull());
        AtomicLong end = new AtomicLong();
        assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> {
            for (int i = 0; i < 100; i++) {
                end.set(append());
            }
        });
        assertThat(log.statistics().queueDepth()).isEqualTo(4);
        assertThat(log.statistics().queueMaxDepth()).isEqualTo(4);
        assertThat(log.statistics().queueFull()).isEqualTo(1);
        assertThat(log.acceptedPosition()).isEqualTo(end.get()).isGreaterThan(log.position());
        assertThat(log.statistics().syncBeganAtMs())
                .isEqualTo(seen().syncBeganAtMs())
                .isBetween(beforeMs, System.currentTimeMillis());
        syncs.release();
        log.sync();
        assertThat(seen().syncBeganAtMs()).isZero();
        assertThat(log.acceptedPosition()).isEqualTo(log.position());
    }

    @Test
    void shouldShowOtherProcessesTheQueueWhileTheDiskIsFull() {
        storage.capacityBytes(CONTROL + 5 * LENGTH);
        open(WriteMode.FILE, DetachedConfig.builder().queueDepth(64));
        appendUntilFull();
        long waiting = log.statistics().queueDepth();
        assertThat(waiting).isPositive();
        Await.until("it is stored", () -> seen().queueDepth() == waiting);
        storage.capacityBytes(SPACE);
        appendOnceNot(LogFullException.class);
        log.sync();
        assertThat(missing()).isZero();
    }

    private void shouldRefuseUntilThereIsAFreeEntry(HeldSyncs syncs) {
        assertThatExceptionOfType(QueueFullException.class)
                .isThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        append();
                    }
                })
                .withMessageContaining("queueDepth=4");
        syncs.release();
        appendOnceNot(QueueFullException.class);
        log.sync();
        assertThat(missing()).isZero();
    }

    @Test
    void shouldWaitUntilTheQueueHasRoomAndKeepTheInterrupt() throws Exception {
        HeldSyncs syncs = fill(DetachedConfig.builder());
        Thread[] producer = {null};
        Future<Boolean> done = threads.submit(() -> {
            producer[0] = Thread.currentThread();
            for (int i = 0; i < 20; i++) {
                append();
            }
            return Thread.interrupted();
        });
        Await.until(
                "the producer sleeps",
                () -> producer[0] != null && producer[0].getState() == Thread.State.TIMED_WAITING);
        producer[0].interrupt();
        assertThat(done.isDone()).isFalse();
        syncs.release();
        assertThat(done.get(30, TimeUnit.SECONDS)).isTrue();
        log.sync();
        assertThat(missing()).isZero();
    }

    /** A full queue whose writer thread waits for the device. */
    private HeldSyncs fillUp() {
        HeldSyncs syncs = fill(DetachedConfig.builder());
        Await.until("the queue is full", () -> {
            if (log.statistics().queueDepth() < 4) {
                log.append(new byte[500], 0, 500);
            }
            return log.statistics().queueDepth() == 4;
        });
        return syncs;
    }

    /** If each of many looked again and again, they would leave no CPU for the writer thread. */
    @Test
    void shouldHaveOneThreadLookForAFreeEntryAndTheOthersSleep() throws Exception {
        HeldSyncs syncs = fillUp();
        Set<Thread> producers = ConcurrentHashMap.newKeySet();
        List<Future<Long>> appends = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            appends.add(threads.submit(() -> {
                producers.add(Thread.currentThread());
                return log.append(new byte[500], 0, 500);
            }));
        }
        Await.until(
                "one looks, and four sleep behind it",
                () -> countBlockedBy(producers, QueueProducer.class) == 1
                        && countBlockedBy(producers, Turn.class) == 4);
        syncs.release();
        for (Future<Long> each : appends) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isPositive();
        }
    }

    /** As a virtual thread does not while those behind it keep all the carriers. */
    @Test
    void shouldFindRoomAlsoIfTheThreadThatLooksDoesNotRun() throws Exception {
        HeldSyncs syncs = fillUp();
        Turn turn = turnOfProducers();
        turn.take(); // as if this thread looked
        List<Future<Throwable>> appends = appendsThatWait();
        syncs.release();
        for (Future<Throwable> each : appends) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isNull();
        }
        assertThat(turn.isMine()).isTrue();
    }

    @Test
    void shouldEndTheWaitOfThoseBehindItToo() throws Exception {
        HeldSyncs syncs = fillUp();
        turnOfProducers().take();
        List<Future<Throwable>> appends = appendsThatWait();
        Future<?> closing = threads.submit(log::close);
        for (Future<Throwable> each : appends) {
            assertThat(each.get(30, TimeUnit.SECONDS)).hasMessage("logger is closed");
        }
        syncs.release();
        closing.get(30, TimeUnit.SECONDS);
    }

    private List<Future<Throwable>> appendsThatWait() {
        Set<Thread> producers = ConcurrentHashMap.newKeySet();
        List<Future<Throwable>> appends = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            appends.add(threads.submit(() -> {
                producers.add(Thread.currentThread());
                return catchThrowable(() -> log.append(new byte[500], 0, 500));
            }));
        }
        Await.until("they sleep", () -> countBlockedBy(producers, Turn.class) == 3);
        return appends;
    }

    private Turn turnOfProducers() throws ReflectiveOperationException {
        Field field = QueueProducer.class.getDeclaredField("turn");
        field.setAccessible(true);
        return (Turn) field.get(log.recordSpace());
    }

    private static long countBlockedBy(Set<Thread> threads, Class<?> type) {
        return threads.stream()
                .filter(thread -> type.isInstance(LockSupport.getBlocker(thread)))
                .count();
    }

    /** Also those that only wait behind another one. */
    @Test
    void shouldFailInTimeInSeveralThreads() throws Exception {
        HeldSyncs syncs = fill(DetachedConfig.builder().waitWhenFull(Duration.ofMillis(3)));
        List<Future<Throwable>> ends = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ends.add(threads.submit(() -> catchThrowable(() -> {
                while (true) {
                    log.append(new byte[500], 0, 500);
                }
            })));
        }
        for (Future<Throwable> each : ends) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isInstanceOf(QueueFullException.class);
        }
        syncs.release();
    }

    @Test
    void shouldEndTheWaitForRoomWhenItIsClosed() throws Exception {
        HeldSyncs syncs = fill(DetachedConfig.builder());
        Future<Throwable> end = threads.submit(() -> catchThrowable(() -> {
            while (true) {
                append();
            }
        }));
        Await.until("the queue is full", () -> log.statistics().queueDepth() == 4);
        Future<?> closing = threads.submit(log::close);
        assertThat(end.get(30, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("logger is closed");
        assertThat(closing.isDone()).as("it waits for the device").isFalse();
        syncs.release();
        closing.get(30, TimeUnit.SECONDS);
        storage.hook((count, what) -> {});
        open(WriteMode.MAPPED, DetachedConfig.builder());
        assertThat(missing()).isZero();
    }
}
