package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever ends the writer thread, everybody learns it, and the log can be closed. */
class DetachedDeathTest {

    private static final int OPERATIONS = 12;
    private static final long FAR = 1L << 40;

    /** How the storage fails. */
    enum Cause {
        IO_EXCEPTION(new IOException("injected")),
        RUNTIME_EXCEPTION(new IllegalArgumentException("injected")),
        ERROR(new AssertionError("injected")),
        OUT_OF_MEMORY(new OutOfMemoryError("injected"));

        private final Throwable throwable;

        Cause(Throwable throwable) {
            this.throwable = throwable;
        }

        void raise() throws IOException {
            if (throwable instanceof IOException e) {
                throw e;
            }
            if (throwable instanceof RuntimeException e) {
                throw e;
            }
            throw (Error) throwable;
        }
    }

    private final CrashableStorage storage = new CrashableStorage();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private static LogConfig config(WriteMode mode) {
        return LogConfig.builder(Path.of("memory"))
                .segmentLength(4096)
                .writeMode(mode)
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "MAPPED, IO_EXCEPTION", "MAPPED, RUNTIME_EXCEPTION", "MAPPED, ERROR", "MAPPED, OUT_OF_MEMORY",
        "FILE, IO_EXCEPTION", "FILE, RUNTIME_EXCEPTION", "FILE, ERROR", "FILE, OUT_OF_MEMORY"
    })
    void shouldTellEverybodyWhateverFailsWherever(WriteMode mode, Cause cause) throws Exception {
        for (int operation = 1; operation <= OPERATIONS; operation++) {
            CrashableStorage failing = new CrashableStorage();
            DetachedLog log = DetachedLog.over(
                    Log.open(config(mode), failing),
                    DetachedConfig.builder().queueDepth(2).build());
            int from = failing.operations() + operation;
            failing.hook((number, what) -> {
                if (number >= from) {
                    cause.raise();
                }
            });
            List<Future<Throwable>> ends = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ends.add(failureOf(log, () -> appendForEver(log)));
            }
            ends.add(failureOf(log, () -> commitForEver(log)));
            ends.add(failureOf(log, () -> log.await(FAR, Durability.FLUSHED, Duration.ofSeconds(60))));
            ends.add(failureOf(log, () -> log.await(FAR, Durability.SYNCED, Duration.ofSeconds(60))));
            CompletableFuture<Long> future = futureOf(log);
            Await.until("it has failed, or nothing is left that can fail", () -> future.isDone() || isRefusing(log));
            if (!future.isDone()) {
                assertThat(catchThrowable(log::close)).hasRootCauseMessage("injected");
                for (Future<Throwable> end : ends) {
                    assertThat(end.get(30, TimeUnit.SECONDS)).isNotNull();
                }
                assertThat(future).isCompletedExceptionally();
                assertThat(failing.openHandles()).isZero();
                continue;
            }
            Throwable first = catchThrowable(() -> future.get(30, TimeUnit.SECONDS));
            assertThat(first).isInstanceOf(ExecutionException.class).hasRootCauseMessage("injected");
            for (Future<Throwable> end : ends) {
                assertThat(end.get(30, TimeUnit.SECONDS)).isSameAs(first.getCause());
            }
            assertThat(catchThrowable(() -> log.append(new byte[1], 0, 1))).isSameAs(first.getCause());
            assertThat(catchThrowable(() -> log.commit(Durability.BUFFERED))).isSameAs(first.getCause());
            assertThat(catchThrowable(() -> log.claim(1))).isSameAs(first.getCause());
            assertThat(catchThrowable(log::close))
                    .isInstanceOf(LogIOException.class)
                    .hasRootCauseMessage("injected");
            assertThat(failing.openHandles()).isZero();
        }
    }

    /** A segment that cannot be made is no failure of the log: it refuses records, and all others may be synced. */
    private static boolean isRefusing(DetachedLog log) {
        return log.statistics().refusals() > 0 && log.syncedPosition() == log.position() && !log.hasFailed();
    }

    /** Of a position that will not be reached; it may also have failed already. */
    private static CompletableFuture<Long> futureOf(DetachedLog log) {
        return log.reached(FAR, Durability.FLUSHED);
    }

    private static Object appendForEver(DetachedLog log) {
        while (true) {
            log.append(new byte[500], 0, 500);
        }
    }

    private static Object commitForEver(DetachedLog log) {
        while (true) {
            log.append(new byte[5], 0, 5);
            log.commit(Durability.SYNCED);
        }
    }

    private Future<Throwable> endOf(Callable<?> work) {
        return threads.submit(() -> catchThrowable(work::call));
    }

    /** Goes on as long as records are only refused: a segment that cannot be made is no failure of the log. */
    private Future<Throwable> failureOf(DetachedLog log, Callable<?> work) {
        return threads.submit(() -> {
            boolean hadFailed;
            Throwable thrown;
            do {
                hadFailed = log.hasFailed();
                thrown = catchThrowable(work::call);
            } while (!hadFailed && thrown instanceof LogIOException);
            return thrown;
        });
    }

    /** What fails outside of the writer thread ends it too, although it sleeps. */
    @Test
    void shouldTellThoseThatWaitOfAFailureInTheBackground() throws Exception {
        DetachedLog log = DetachedLog.over(
                Log.open(config(WriteMode.MAPPED), storage),
                DetachedConfig.builder().build());
        Future<Throwable> waiting = endOf(() -> log.await(FAR, Durability.FLUSHED, Duration.ofSeconds(60)));
        Await.until("two segments are prepared", () -> storage.list().size() == 5);
        log.append(new byte[1], 0, 1);
        assertThat(log.await(log.position(), Durability.FLUSHED, Duration.ofSeconds(30)))
                .isTrue();
        storage.hook((number, what) -> {
            throw new IOException("injected");
        });
        log.commitWithin(Duration.ZERO);
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isInstanceOf(LogIOException.class);
        assertThat(catchThrowable(log::close))
                .isInstanceOf(LogIOException.class)
                .hasRootCauseMessage("injected");
        assertThat(storage.openHandles()).isZero();
    }

    /** A thread that hands over records, with less and less of its stack left, and then with more again. */
    private static final class Deep {

        private final DetachedLog log;
        private final byte[] record = new byte[40];
        private int accepted;
        private int refused;
        private boolean failed;

        Deep(DetachedLog log) {
            this.log = log;
        }

        /** Returns how far from the end of the stack it is. */
        int descend() {
            int left;
            try {
                left = descend() + 1;
            } catch (StackOverflowError end) {
                left = 0;
            }
            append(left);
            return left;
        }

        /** The same with frames of another size. */
        long descend(long a, long b, long c) {
            long left;
            try {
                left = descend(a + 1, b + c, c + left(a)) + 1;
            } catch (StackOverflowError end) {
                left = 0;
            }
            append(left);
            return left;
        }

        private static long left(long a) {
            return a & 1;
        }

        private void append(long left) {
            if (left > 300 || failed) {
                return;
            }
            try {
                log.append(record, 0, record.length);
                accepted++;
            } catch (StackOverflowError e) {
                refused++;
            } catch (LogIOException e) {
                failed = true;
            }
        }
    }

    /** Wherever it ends while a record is handed over: the log has each one that was accepted, or it has failed. */
    @Test
    void shouldNotWaitForARecordThatAThreadHadNoStackToHandOver() throws Exception {
        int refused = 0;
        for (int i = 0; i < 20; i++) {
            DetachedLog log = DetachedLog.over(
                    Log.open(config(WriteMode.MAPPED), storage),
                    DetachedConfig.builder().build());
            long before = log.positions().lastSequence();
            Deep deep = new Deep(log);
            Thread thread = new Thread(
                    null,
                    () -> {
                        deep.descend();
                        deep.descend(1, 2, 3);
                    },
                    "deep",
                    200_000 + 8 * i);
            thread.start();
            thread.join();
            refused += deep.refused;
            Throwable thrown = endOf(() -> {
                        log.close();
                        return null;
                    })
                    .get(30, TimeUnit.SECONDS);
            if (thrown == null) {
                assertThat(log.positions().lastSequence() - before).isEqualTo(deep.accepted);
            } else {
                assertThat(thrown).isInstanceOf(LogIOException.class);
            }
            assertThat(storage.openHandles()).isZero();
        }
        assertThat(refused).as("records for which there was no stack").isPositive();
    }
}
