package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.support.InMemory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several threads use one attached logger, by mistake or as it is meant. */
@ParameterizedClass
@EnumSource(WriteMode.class)
@Timeout(120)
class SharedLoggerTest {

    private static final int THREADS = 4;
    private static final int EACH = 2000;

    @Parameter
    WriteMode mode;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final ExecutorService another = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        another.shutdown();
    }

    private LogConfig.Builder config() {
        return LogConfig.builder(directory).segmentLength(1 << 14).writeMode(mode);
    }

    private MessageLogger open() {
        return MessageLogger.open(config().build());
    }

    /** What is in the log, which was closed and verifies from end to end. */
    private List<String> read() {
        List<String> found = new ArrayList<>();
        try (MessageLogger again = open();
                Tailer tailer = again.tailer()) {
            assertThat(again.recovery().start()).isEqualTo(Left.CLOSED);
            while (tailer.next()) {
                found.add(new String(tailer.payloadBytes(), UTF_8));
            }
        }
        return found;
    }

    private static byte[] message(String text) {
        return text.getBytes(UTF_8);
    }

    private void inAnother(ThrowingCallable work) throws Exception {
        another.submit(() -> {
                    try {
                        work.call();
                    } catch (Throwable e) {
                        throw new AssertionError(e);
                    }
                })
                .get(60, TimeUnit.SECONDS);
    }

    private interface Work {
        void run(int thread) throws Exception;
    }

    private static List<Thread> start(Work work) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run(number);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    "worker " + i);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** It waits without the lock, so that others can append and share its sync; and nothing else is called. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldReachALevelForAThreadThatWaitsWithoutTheLock(Durability level) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        try (MessageLogger logger = MessageLogger.open(config().guardedBy(lock).build())) {
            long end;
            lock.lock();
            try {
                end = logger.append(message("one"));
            } finally {
                lock.unlock();
            }
            assertThat(logger.await(end, level, Duration.ofSeconds(60))).isTrue();
            assertThat(lock.isLocked()).isFalse();
        }
        assertThat(read()).containsExactly("one");
    }

    /** Else two threads could wait for each other. */
    @Test
    void shouldNotWaitForTheLockInAWait() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        try (MessageLogger logger = MessageLogger.open(config().guardedBy(lock).build())) {
            lock.lock();
            try {
                long end = logger.append(message("one"));
                inAnother(() -> assertThat(logger.await(end, Durability.FLUSHED, Duration.ofMillis(20)))
                        .isEqualTo(logger.flushedPosition() >= end));
            } finally {
                lock.unlock();
            }
        }
    }

    @Test
    void shouldLetInOneOfFourThreadsAndTellTheOthers() throws Exception {
        Queue<String> appended = new ConcurrentLinkedQueue<>();
        Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        CountDownLatch told = new CountDownLatch(THREADS - 1);
        try (MessageLogger logger = open()) {
            List<Thread> threads = start(number -> {
                barrier.await();
                try {
                    for (int i = 0; i < EACH; i++) {
                        String text = Thread.currentThread().getName() + " " + i;
                        logger.append(message(text));
                        appended.add(text);
                        logger.commit();
                    }
                    told.await(); // as long as it lives the log is its own
                } catch (IllegalStateException e) {
                    refused.add(e);
                    told.countDown();
                }
            });
            join(threads);
        }
        assertThat(refused).hasSize(THREADS - 1);
        assertThat(refused)
                .allSatisfy(e -> assertThat(e.getMessage())
                        .containsPattern("written by the thread \"worker \\d\" \\(id \\d+\\)")
                        .containsPattern("the thread \"worker \\d\" \\(id \\d+\\) has called it; nothing was changed")
                        .contains("detached", "handOver()", "guardedBy"));
        assertThat(appended).hasSize(EACH);
        assertThat(read()).containsExactlyElementsOf(appended);
    }

    @Test
    void shouldRefuseEachCallOfAnotherThread() throws Exception {
        MessageLogger logger = open();
        logger.append(message("first"));
        logger.handOver();
        logger.append(message("taken up again"));
        inAnother(() -> {
            assertRefused(() -> logger.append(message("other")));
            assertRefused(() -> logger.append(ByteBuffer.wrap(message("other"))));
            assertRefused(() -> logger.append("other", (text, output) -> output.write(message(text))));
            assertRefused(() -> logger.claim(10));
            assertRefused(() -> logger.commit(Durability.SYNCED));
            assertRefused(() -> logger.commit(Durability.SYNCED, Duration.ofSeconds(1)));
            assertRefused(() -> logger.commitWithin(Duration.ZERO));
            assertRefused(logger::flush);
            assertRefused(logger::sync);
            assertRefused(logger::handOver);
            assertThat(logger.await(logger.position(), Durability.BUFFERED, Duration.ofSeconds(1)))
                    .isTrue();
        });
        Claim claim = logger.claim(2);
        claim.payload().put(message("ok"));
        inAnother(() -> {
            assertRefused(claim::publish);
            assertRefused(claim::abort);
        });
        claim.publish();
        logger.commit(Durability.SYNCED);
        logger.close();
        assertThat(read()).containsExactly("first", "taken up again", "ok");
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatIllegalStateException().isThrownBy(call).withMessageContaining("this log is written by the thread");
    }

    @Test
    void shouldBeHandedOver() throws Exception {
        MessageLogger logger = open();
        for (int i = 0; i < 500; i++) {
            logger.append(message("mine"));
            logger.handOver();
            inAnother(() -> {
                logger.append(message("its"));
                Claim claim = logger.claim(1);
                assertThatIllegalStateException().isThrownBy(logger::handOver).withMessageContaining("a claim is open");
                claim.abort();
                logger.handOver();
            });
        }
        logger.close();
        assertThat(read()).hasSize(1000);
    }

    @Test
    void shouldGoOverToTheNextThreadWhenTheOwnerHasEnded() throws Exception {
        MessageLogger logger = open();
        for (int i = 0; i < 20; i++) {
            Thread thread = new Thread(() -> {
                logger.append(message("x"));
                logger.claim(100);
            });
            thread.start();
            thread.join();
        }
        logger.append(message("last"));
        logger.close();
        assertThat(read()).hasSize(21).last().isEqualTo("last");
    }

    @Test
    void shouldBeSharedUnderALock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        try (MessageLogger logger = MessageLogger.open(config().guardedBy(lock).build())) {
            join(start(number -> {
                for (int i = 0; i < EACH; i++) {
                    lock.lock();
                    try {
                        logger.append(message("x"));
                        logger.handOver(); // does nothing
                        logger.commit();
                    } finally {
                        lock.unlock();
                    }
                }
                assertThatIllegalStateException().isThrownBy(() -> logger.append(message("afterwards")));
            }));
            assertThatIllegalStateException()
                    .isThrownBy(() -> logger.append(message("without")))
                    .withMessageContaining("under a lock")
                    .withMessageContaining("guardedBy");
            assertThatIllegalStateException().isThrownBy(logger::sync);
        }
        assertThat(read()).hasSize(THREADS * EACH).containsOnly("x");
    }

    @Test
    void shouldRefuseALockWhereAnyThreadMayCall() {
        LogConfig guarded = config().guardedBy(new ReentrantLock()).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        MessageLogger.open(guarded, DetachedConfig.builder().build()))
                .withMessageContaining("guardedBy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreLogger.open(StoreConfig.builder(guarded).build()))
                .withMessageContaining("guardedBy");
        assertThat(directory).isEmptyDirectory();
    }

    /** It would append in the middle of the sync by which it is told. */
    @Test
    void shouldRefuseAListenerThatUsesTheLog() {
        List<Throwable> thrown = new ArrayList<>();
        MessageLogger logger = open();
        for (Durability level : List.of(Durability.FLUSHED, Durability.SYNCED)) {
            logger.listen(level, position -> {
                for (Runnable call : List.<Runnable>of(
                        () -> logger.append(message("other")), logger::sync, logger::handOver, logger::close)) {
                    assertThatIllegalStateException().isThrownBy(call::run).satisfies(thrown::add);
                }
            });
        }
        for (int i = 0; i < 1000; i++) {
            logger.append(message("message " + i));
            logger.commit(i % 100 == 0 ? Durability.SYNCED : Durability.FLUSHED);
        }
        logger.close();
        assertThat(thrown.stream().map(Throwable::getMessage))
                .hasSizeGreaterThan(1000)
                .allMatch(text -> text.contains("listener") || text.equals("logger is closed")); // that by close
        assertThat(read()).hasSize(1000).allMatch(text -> text.startsWith("message"));
    }

    @Test
    void shouldRefuseTheStepOfAFutureThatUsesTheLogInTheMiddleOfACall() throws InterruptedException {
        MessageLogger logger = open();
        int refused = 0;
        for (Durability level : List.of(Durability.FLUSHED, Durability.SYNCED)) {
            for (int i = 0; i < 100; i++) {
                long end = logger.append(message("message"));
                // Asked for by another thread: this one would flush at once.
                CompletableFuture<Long> step = CompletableFuture.supplyAsync(() -> logger.reached(end, level))
                        .join()
                        .thenApply(position -> logger.append(message("other")));
                logger.commit(level);
                logger.await(end, level, Duration.ofMinutes(1));
                Throwable thrown = step.handle((position, e) -> e).join();
                if (thrown != null) { // else the future was done before it got the step, which ran at once
                    refused++;
                    assertThat(thrown).hasCauseInstanceOf(IllegalStateException.class);
                }
            }
        }
        logger.close();
        assertThat(refused).isGreaterThanOrEqualTo(mode == WriteMode.FILE ? 100 : 0);
        assertThat(read()).hasSize(400 - refused);
    }
}
