package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.RecoveryReport;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.thread.LogThread;
import io.persist.support.Await;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On real files, because it is their channels which an interrupt closes. */
@ParameterizedClass
@EnumSource(WriterKind.class)
class InterruptTest {

    private static final int RECORDS = 3000;

    @Parameter
    WriterKind kind;

    @TempDir(factory = InMemory.class)
    Path directory;

    @AfterEach
    void lowerInterruptFlag() {
        Thread.interrupted();
    }

    /** Calls with the flag up, and looks whether it still is afterwards. */
    private static <T> T interrupted(Callable<T> call) {
        Thread.currentThread().interrupt();
        try {
            T result = call.call();
            assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
            return result;
        } catch (Exception e) {
            throw new AssertionError("interrupted call failed", e);
        } finally {
            Thread.interrupted();
        }
    }

    private static void interrupted(Runnable call) {
        interrupted(() -> {
            call.run();
            return null;
        });
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldBeHarmlessBeforeAnyCall(ReadMode readMode) {
        LogConfig config = kind.config(directory).build();
        TailerConfig reading = WriterKind.reader().readMode(readMode).build();
        Log log = interrupted(() -> Log.open(config));
        Tailer tailer = interrupted(() -> log.tailer(reading));
        long next = 1;
        for (int round = 0; round < 20; round++) {
            interrupted(() -> Records.append(log, 10));
            for (Durability level : Durability.values()) {
                interrupted(() -> Records.append(log));
                long end = interrupted(() -> log.commit(level));
                assertThat(interrupted(() -> log.await(end, level, Duration.ofSeconds(30))))
                        .isTrue();
            }
            interrupted(log::flush);
            interrupted(log::sync);
            long from = next;
            next = interrupted(() -> Records.readOn(tailer, from));
            assertThat(next).isEqualTo(log.lastSequence() + 1);
            long last = log.lastSequence();
            interrupted(() -> tailer.toSequence(last));
            interrupted(() -> tailer.toPosition(log.lastPosition()));
            interrupted(tailer::toEnd);
        }
        assertThat(log.statistics().rolls()).isGreaterThan(3);
        RetentionPlan plan = interrupted(() -> log.planRetention(RetentionRule.keepBytes(8192)));
        assertThat(plan.retired()).isNotEmpty();
        interrupted(() -> log.retire(plan, Retirement.RECYCLE));
        interrupted(() -> Records.append(log, 100));
        interrupted(log::close);
        interrupted(tailer::toStart);
        assertThat(interrupted(tailer::next)).isTrue();
        long first = tailer.sequence();
        assertThat(interrupted(() -> Records.readOn(tailer, first + 1))).isEqualTo(log.lastSequence() + 1);
        interrupted(tailer::close);
    }

    /** Interrupts threads again and again. */
    private static final class Tormentor {

        private final AtomicBoolean over = new AtomicBoolean();
        private final Thread thread;

        Tormentor(Thread... victims) {
            thread = new Thread(() -> {
                while (!over.get()) {
                    for (Thread victim : victims) {
                        victim.interrupt();
                    }
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
                }
            });
            thread.start();
        }

        void close() {
            over.set(true);
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException again) {
                    Thread.interrupted();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldBeHarmlessAtAnyMoment(ReadMode readMode) throws Exception {
        LogConfig config = kind.config(directory).build();
        TailerConfig reading = WriterKind.reader().readMode(readMode).build();
        CompletableFuture<Thread> readerThread = new CompletableFuture<>();
        CompletableFuture<Thread> awaiterThread = new CompletableFuture<>();
        AtomicBoolean over = new AtomicBoolean();
        Log log = Log.open(config);
        CompletableFuture<Long> reader = start(readerThread, () -> {
            try (Tailer tailer = Tailer.open(directory, reading)) {
                long[] next = {1};
                Await.until("all is read", () -> {
                    next[0] = Records.readOn(tailer, next[0]);
                    return next[0] > RECORDS;
                });
                return next[0] - 1;
            }
        });
        CompletableFuture<Long> awaiter = start(awaiterThread, () -> {
            long rounds = 0;
            while (!over.get()) {
                try {
                    assertThat(log.await(log.flushedPosition(), Durability.SYNCED, Duration.ofSeconds(30)))
                            .isTrue();
                } catch (InterruptedException expected) {
                    assertThat(log.positions().hasFailed()).isFalse();
                }
                rounds++;
            }
            return rounds;
        });
        Tormentor tormentor = new Tormentor(Thread.currentThread(), readerThread.join(), awaiterThread.join());
        try {
            for (int i = 1; i <= RECORDS; i++) {
                Records.append(log);
                if (i % 50 == 0) {
                    log.commit(Durability.values()[i / 50 % 3]);
                }
            }
            log.flush();
            Await.until("the reader is done", reader::isDone);
            over.set(true);
            Await.until("the awaiter is done", awaiter::isDone);
            log.close();
        } finally {
            tormentor.close();
            Thread.interrupted();
        }
        assertThat(reader.get()).isEqualTo(RECORDS);
        assertThat(awaiter.get()).isPositive();
        try (Log reopened = Log.open(config)) {
            assertThat(reopened.recovery().start()).isEqualTo(RecoveryReport.Left.CLOSED);
            assertThat(Records.readAll(reopened)).isEqualTo(RECORDS);
        }
    }

    /** With the flag up none of them could sleep any more. In memory nothing else lowers it. */
    @Test
    void shouldHaveNoMeaningForTheLogsOwnThreads() {
        LogConfig config = kind.config().syncInterval(Duration.ofHours(1)).build();
        try (Log log = Log.open(config, new CrashableStorage())) {
            Records.append(log);
            for (String name : List.of(
                    LogThread.name("sync", "memory"),
                    LogThread.name("fill", "memory"),
                    LogThread.name("make", "memory"))) {
                Thread thread = Thread.getAllStackTraces().keySet().stream()
                        .filter(running -> running.getName().equals(name))
                        .findFirst()
                        .orElseThrow();
                thread.interrupt();
                Await.until(name + " has lowered the flag", () -> !thread.isInterrupted());
                assertThat(thread.isAlive()).isTrue();
            }
        }
    }

    private static CompletableFuture<Long> start(CompletableFuture<Thread> where, Callable<Long> task) {
        CompletableFuture<Long> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            where.complete(Thread.currentThread());
            try {
                result.complete(task.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
