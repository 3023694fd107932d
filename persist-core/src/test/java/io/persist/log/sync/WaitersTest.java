package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.Registration;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.thread.OnInterrupt;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.FullHeap;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads, futures and listeners that wait for positions of a log. */
class WaitersTest {

    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    Path directory;

    private final CrashableStorage storage = new CrashableStorage();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Log log;
    private Waiters waiters;

    @BeforeEach
    void open() {
        log = Log.open(WriterKind.FILE_RW.config().segmentLength(1 << 16).build(), storage);
        waiters = log.positions().waiters();
    }

    @AfterEach
    void close() throws InterruptedException {
        storage.hook((number, what) -> {});
        catchThrowable(log::close);
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(waiters.count()).as("who waits").isZero();
        assertThat(storage.openHandles()).isZero();
    }

    private static boolean await(Waiters waiters, long position, Durability level, long timeoutNs) {
        return waiters.await(position, level, timeoutNs, OnInterrupt.GO_ON, unused -> {});
    }

    private Future<Boolean> waitFor(long position, Durability level) {
        int before = waiters.count();
        Future<Boolean> waiting = threads.submit(() -> await(waiters, position, level, LONG_NS));
        Await.until("it waits", () -> waiters.count() == before + 1);
        return waiting;
    }

    private long append() {
        return Records.append(log);
    }

    /** A listener that is called in the middle of a wait may do that. */
    @Test
    void shouldLetAThreadWaitForAnotherLogMeanwhile() {
        CrashableStorage elsewhere = new CrashableStorage();
        try (Log other = Log.open(WriterKind.FILE_RW.config().build(), elsewhere)) {
            Waiters.Parked self = waiters.enlistToLead(Long.MAX_VALUE);
            Waiters others = other.positions().waiters();
            assertThat(await(others, Long.MAX_VALUE, Durability.SYNCED, 1)).isFalse();
            assertThat(others.count()).isZero();
            assertThat(waiters.count()).isEqualTo(1);
            waiters.dismiss(self);
            assertThat(waiters.count()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1, 100_000})
    void shouldEndAWaitWhenItsTimeIsOver(long timeoutNs) {
        for (Durability level : Durability.values()) {
            assertThat(await(waiters, log.position() + 1, level, timeoutNs)).isFalse();
            assertThat(waiters.count()).isZero();
            assertThat(await(waiters, 0, level, timeoutNs)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -5})
    void shouldTakeANegativeTimeForNone(long seconds) throws InterruptedException {
        for (Durability level : Durability.values()) {
            assertThat(log.await(log.position() + 1, level, Duration.ofSeconds(seconds)))
                    .isFalse();
        }
    }

    @Test
    void shouldWakeOnlyThoseWhoseLevelIsReached() throws Exception {
        long end = append();
        Future<Boolean> flushed = waitFor(end, Durability.FLUSHED);
        Future<Boolean> later = waitFor(end + 1, Durability.FLUSHED);
        Future<Boolean> synced = waitFor(end, Durability.SYNCED);
        log.flush();
        assertThat(flushed.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(waiters.count()).isEqualTo(2);
        log.sync();
        assertThat(synced.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(waiters.count()).isEqualTo(1);
        append();
        log.flush();
        assertThat(later.get(30, TimeUnit.SECONDS)).isTrue();
    }

    /** One node for each thread, used again for wait after wait, whether it was woken, in time, or not at all. */
    @Test
    void shouldServeAThreadAgainAndAgain() throws Exception {
        Future<Integer> rounds = threads.submit(() -> {
            int reached = 0;
            for (int i = 0; i < 2000; i++) {
                reached += await(waiters, log.position() + 1, Durability.FLUSHED, i % 3 == 0 ? 1000 : LONG_NS) ? 1 : 0;
            }
            return reached;
        });
        while (!rounds.isDone()) {
            append();
            log.flush();
        }
        assertThat(rounds.get()).isGreaterThanOrEqualTo(1000);
    }

    /** Each of many would, and leave no CPU to the thread that they wait for. */
    @Test
    void shouldNotLookOftenBehindAnotherThread() throws Exception {
        long end = log.position() + 1;
        AtomicInteger[] looks = {new AtomicInteger(), new AtomicInteger()};
        List<Future<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < looks.length; i++) {
            AtomicInteger own = looks[i];
            int count = i + 1;
            waiting.add(threads.submit(() -> waiters.await(
                    end, Durability.FLUSHED, LONG_NS, OnInterrupt.GO_ON, position -> own.incrementAndGet())));
            Await.until("it waits", () -> waiters.count() == count);
        }
        Await.until("the first has looked often", () -> looks[0].get() >= 10);
        assertThat(looks[1].get()).as("looks of the second").isLessThan(5);
        append();
        log.flush();
        for (Future<Boolean> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** What they wait for may be refused. */
    @Test
    void shouldHaveThoseLookAroundWhosePositionIsNotPublished() throws Exception {
        Future<Boolean> first = waitFor(Long.MAX_VALUE - 1, Durability.FLUSHED);
        IllegalCallerException refusal = new IllegalCallerException("refused");
        AtomicBoolean isRefused = new AtomicBoolean();
        Future<Boolean> second = threads.submit(
                () -> waiters.await(Long.MAX_VALUE, Durability.FLUSHED, LONG_NS, OnInterrupt.GO_ON, position -> {
                    if (isRefused.get()) {
                        throw refusal;
                    }
                }));
        Await.until("both wait", () -> waiters.count() == 2);
        isRefused.set(true);
        waiters.wakeUnpublished();
        assertThat(catchThrowable(() -> second.get(30, TimeUnit.SECONDS))).hasCause(refusal);
        assertThat(first).isNotDone();
        log.close();
        assertThat(catchThrowable(() -> first.get(30, TimeUnit.SECONDS))).hasMessageContaining("logger is closed");
    }

    @Test
    void shouldTakeOutAnyOfThoseThatWait() throws Exception {
        List<Future<Boolean>> waiting = new ArrayList<>();
        long start = log.position();
        for (int i : new int[] {5, 1, 4, 2, 3, 1}) {
            waiting.add(waitFor(start + 24L * i, Durability.FLUSHED));
        }
        for (int i = 1; i <= 5; i++) {
            log.append(new byte[0], 0, 0);
            log.flush();
            int left = 5 - i;
            Await.until("the others wait", () -> waiters.count() == left);
        }
        for (Future<Boolean> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldKeepTheInterruptOfAThreadThatWaits() throws Exception {
        Thread[] self = {null};
        Future<Boolean> interrupted = threads.submit(() -> {
            self[0] = Thread.currentThread();
            assertThat(await(waiters, log.position() + 1, Durability.FLUSHED, LONG_NS))
                    .isTrue();
            return Thread.interrupted();
        });
        Await.until("it waits", () -> waiters.count() == 1);
        self[0].interrupt();
        append();
        log.flush();
        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldCompleteFutures() {
        long first = append();
        long second = append();
        CompletableFuture<Long> flushed = waiters.reached(first, Durability.FLUSHED);
        CompletableFuture<Long> beyond = waiters.reached(second + 1, Durability.FLUSHED);
        assertThat(flushed).isNotDone();
        log.flush();
        assertThat(flushed).isCompletedWithValue(second);
        assertThat(beyond).isNotDone();
        assertThat(log.reached(first, Durability.FLUSHED)).isCompletedWithValue(second);
        log.close();
        assertThat(catchThrowable(beyond::join)).hasRootCauseMessage("logger is closed");
        assertThat(catchThrowable(() -> log.reached(first, Durability.FLUSHED)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldBeginASyncForAFutureAsSoonAsItIsFlushed() throws Exception {
        long end = append();
        CompletableFuture<Long> synced =
                threads.submit(() -> log.reached(end, Durability.SYNCED)).get(30, TimeUnit.SECONDS);
        log.flush();
        assertThat(synced.get(30, TimeUnit.SECONDS)).isEqualTo(end);
    }

    @Test
    void shouldFailWhoWaitsWhenTheLogFails() throws Exception {
        Future<Boolean> waiting = waitFor(Long.MAX_VALUE, Durability.FLUSHED);
        CompletableFuture<Long> future = log.reached(Long.MAX_VALUE, Durability.FLUSHED);
        storage.hook((number, what) -> {
            throw new IOException("gone");
        });
        append();
        Throwable failure = catchThrowable(log::flush);
        assertThat(failure).isInstanceOf(LogIOException.class);
        assertThat(catchThrowable(future::join).getCause()).isSameAs(failure);
        assertThat(catchThrowable(() -> waiting.get(30, TimeUnit.SECONDS)).getCause())
                .isSameAs(failure);
        assertThat(catchThrowable(() -> await(waiters, Long.MAX_VALUE, Durability.SYNCED, LONG_NS)))
                .isSameAs(failure);
    }

    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"FLUSHED", "SYNCED"})
    void shouldTellListenersGrowingPositionsUntilTheyAreClosed(Durability level) {
        List<Long> told = new ArrayList<>();
        Registration registration = log.listen(level, told::add);
        for (int i = 0; i < 100; i++) {
            append();
            log.sync();
            log.sync();
            log.completion().wake();
        }
        assertThat(told).hasSize(100).isSorted().doesNotHaveDuplicates().last().isEqualTo(log.position());
        registration.close();
        append();
        log.sync();
        assertThat(told).hasSize(100);
    }

    @Test
    void shouldTellListenersOnceThatTheLogHasFailed() {
        List<String> told = new ArrayList<>();
        PersistException[] failure = {null};
        log.listen(Durability.FLUSHED, new PositionListener() {
            @Override
            public void onPosition(long position) {
                told.add("position");
            }

            @Override
            public void onFailure(PersistException e) {
                told.add("failure");
                failure[0] = e;
            }
        });
        log.listen(Durability.SYNCED, position -> told.add("synced"));
        append();
        log.flush();
        storage.hook((number, what) -> {
            throw new IOException("gone");
        });
        append();
        Throwable thrown = catchThrowable(log::flush);
        log.completion().wake();
        assertThat(told).containsExactly("position", "failure");
        assertThat(failure[0]).isInstanceOf(LogIOException.class).isSameAs(thrown);
        assertThat(catchThrowable(() -> log.listen(Durability.SYNCED, position -> {})))
                .isSameAs(thrown);
    }

    @Test
    void shouldNotTakeAClosingForAFailure() {
        List<PersistException> told = new ArrayList<>();
        log.listen(Durability.SYNCED, new PositionListener() {
            @Override
            public void onPosition(long position) {}

            @Override
            public void onFailure(PersistException failure) {
                told.add(failure);
            }
        });
        log.close();
        assertThat(told).isEmpty();
    }

    /** What one observer throws is nobody else's trouble. */
    @Test
    void shouldRemoveAListenerThatThrowsAnythingAndServeTheOthers() throws Exception {
        int[] calls = {0, 0, 0};
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {
            throw new IllegalStateException("the handler throws too");
        });
        try {
            log.listen(Durability.SYNCED, position -> {
                calls[0]++;
                throw new AssertionError("first");
            });
            log.listen(Durability.SYNCED, position -> {
                calls[1]++;
                throw new IllegalArgumentException("second");
            });
            log.listen(Durability.SYNCED, position -> calls[2]++);
            long end = append();
            CompletableFuture<Long> future = waiters.reached(end, Durability.FLUSHED);
            CompletableFuture<Void> step = future.thenRun(() -> {
                throw new AssertionError("third");
            });
            CompletableFuture<Long> another = waiters.reached(end, Durability.FLUSHED);
            log.sync();
            assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo(end);
            assertThat(another.get(30, TimeUnit.SECONDS)).isEqualTo(end);
            assertThatThrownBy(() -> step.get(30, TimeUnit.SECONDS)).hasRootCauseMessage("third");
            append();
            log.sync();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
        Await.until("all have been called", () -> calls[2] == 2);
        assertThat(calls[0]).isEqualTo(1);
        assertThat(calls[1]).isEqualTo(1);
    }

    /** By another one, of which the one that tells has heard before. */
    @Test
    void shouldNotCallAListenerAfterItsRegistrationIsClosed() {
        int[] calls = {0, 0};
        Registration[] second = {null};
        log.listen(Durability.SYNCED, position -> {
            calls[0]++;
            second[0].close();
        });
        second[0] = log.listen(Durability.SYNCED, position -> calls[1]++);
        append();
        log.sync();
        assertThat(calls).containsExactly(1, 0);
    }

    /** Neither for the futures nor, before them, to remove a listener that throws. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldCompleteFuturesLaterIfThereWasNoMemoryForIt(int listeners) throws Exception {
        List<String> command = ChildJvm.brieflyWithin("24m", NoMemoryToComplete.class, directory, listeners);
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("OutOfMemoryError, then 20 of 20 are completed");
        }
    }

    static final class NoMemoryToComplete {

        private static final int MOST_ROUNDS = 20;

        /** What another thread of the JVM gives back behind the filling may be enough for all futures. */
        private static final String ENOUGH = "nothing, then 20 of 20 are completed";

        public static void main(String[] arguments) {
            Log log = Log.open(WriterKind.MAPPED.config().segmentLength(1 << 16).build(), new CrashableStorage());
            Waiters waiters = log.positions().waiters();
            Object[] ballast = new Object[500_000];
            round(log, waiters); // what is needed at first only is made here
            String said = ENOUGH;
            for (int i = 0; i < MOST_ROUNDS && said.equals(ENOUGH); i++) {
                said = withoutMemory(log, waiters, Integer.parseInt(arguments[1]), ballast);
            }
            System.out.println(said);
        }

        private static String withoutMemory(Log log, Waiters waiters, int listeners, Object[] ballast) {
            RuntimeException prepared = new IllegalStateException("no memory for this one");
            for (int i = 0; i < listeners; i++) {
                waiters.listen(Durability.FLUSHED, position -> {
                    throw prepared;
                });
            }
            List<CompletableFuture<Long>> futures = promised(log, waiters);
            FullHeap.fill(ballast);
            Throwable thrown = null;
            try {
                waiters.signal();
            } catch (OutOfMemoryError e) {
                thrown = e;
            }
            Arrays.fill(ballast, null);
            waiters.signal();
            long completed = futures.stream().filter(CompletableFuture::isDone).count();
            return (thrown == null ? "nothing" : "OutOfMemoryError") + ", then " + completed + " of " + futures.size()
                    + " are completed";
        }

        private static void round(Log log, Waiters waiters) {
            promised(log, waiters);
            waiters.signal();
        }

        /** Futures whose position is reached, which nobody has been told. */
        private static List<CompletableFuture<Long>> promised(Log log, Waiters waiters) {
            List<CompletableFuture<Long>> futures = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                futures.add(waiters.reached(log.position() + 1, Durability.FLUSHED));
            }
            Records.append(log);
            return futures;
        }
    }

    @Test
    void shouldRefuseToTellOfWhatIsBuffered() {
        assertThatIllegalArgumentException().isThrownBy(() -> log.reached(0, Durability.BUFFERED));
        assertThatIllegalArgumentException().isThrownBy(() -> log.listen(Durability.BUFFERED, position -> {}));
    }

    /** Whoever lists something that cannot be told would stop the one who tells. */
    @Test
    void shouldTakeNeitherNoLevelNorNoListener() {
        assertThatNullPointerException()
                .isThrownBy(() -> log.reached(log.position() + 1, null))
                .withMessage("level");
        assertThatNullPointerException()
                .isThrownBy(() -> log.listen(null, position -> {}))
                .withMessage("level");
        assertThatNullPointerException()
                .isThrownBy(() -> log.listen(Durability.SYNCED, null))
                .withMessage("listener");
        assertThat(waiters.count()).isZero();
        long end = append();
        log.sync();
        assertThat(log.syncedPosition()).isEqualTo(end);
    }

    /** Each signal looks at all that are listed. */
    @Test
    void shouldForgetAFutureThatNobodyWaitsForAnyMore() {
        CompletableFuture<Long> cancelled = log.reached(log.position() + 1, Durability.SYNCED);
        CompletableFuture<Long> completed = log.reached(log.position() + 1, Durability.SYNCED);
        CompletableFuture<Long> late = log.reached(log.position() + 1, Durability.SYNCED);
        assertThat(waiters.count()).isEqualTo(3);
        cancelled.cancel(false);
        completed.complete(0L);
        assertThat(waiters.count()).isEqualTo(1);
        late.orTimeout(1, TimeUnit.MILLISECONDS);
        Await.until("its time is over", () -> waiters.count() == 0);
        append();
        log.sync();
        assertThat(cancelled).isCancelled();
        assertThat(completed).isCompletedWithValue(0L);
        assertThat(late).isCompletedExceptionally();
    }
}
