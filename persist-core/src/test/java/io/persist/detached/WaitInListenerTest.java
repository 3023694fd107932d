package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.store.StoreConfig;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Code of the application that the writer thread runs, and that waits for the writer thread, is told so. */
@Timeout(120)
class WaitInListenerTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final byte[] BYTES = new byte[8];

    private static final LogConfig LOG =
            LogConfig.builder(Path.of("memory")).segmentLength(1 << 16).build();
    private static final DetachedConfig DETACHED =
            DetachedConfig.builder().queueDepth(4).waitWhenFull(LONG).build();

    private enum Wait {
        COMMIT_FLUSHED,
        COMMIT_SYNCED,
        BOUNDED_COMMIT,
        FLUSH,
        SYNC,
        AWAIT,
        APPEND,
        RETIRE;

        void in(DetachedLog log) throws InterruptedException {
            long end = log.append(BYTES, 0, BYTES.length);
            switch (this) {
                case COMMIT_FLUSHED -> log.commit(Durability.FLUSHED);
                case COMMIT_SYNCED -> log.commit(Durability.SYNCED);
                case BOUNDED_COMMIT -> log.commit(Durability.SYNCED, LONG);
                case FLUSH -> log.flush();
                case SYNC -> log.sync();
                case AWAIT -> log.await(end, Durability.SYNCED, LONG);
                case APPEND -> {
                    for (int i = 0; i < 10; i++) {
                        log.append(BYTES, 0, BYTES.length);
                    }
                }
                case RETIRE -> log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.DELETE);
            }
        }

        /** What it throws when the writer thread has got there. */
        Throwable caught(DetachedLog log) {
            return catchThrowable(() -> in(log));
        }
    }

    private static void checkRefused(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must not wait for the log that has called it");
    }

    private final CrashableStorage storage = new CrashableStorage();

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAListenerThatWaits(Wait wait) throws Exception {
        try (DetachedLog log = DetachedLog.over(Log.open(LOG, storage), DETACHED)) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            log.listen(Durability.SYNCED, position -> {
                if (!thrown.isDone()) {
                    thrown.complete(wait.caught(log));
                }
            });
            log.append(BYTES, 0, BYTES.length);
            log.commit(Durability.SYNCED);
            checkRefused(thrown.get(60, TimeUnit.SECONDS));
            goesOn(log);
        }
    }

    /** Once in the middle of a sync, once between two steps of the writer thread. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseAStepThatWaits(Wait wait) throws Exception {
        for (Durability level : new Durability[] {Durability.SYNCED, Durability.FLUSHED}) {
            try (DetachedLog log = DetachedLog.over(Log.open(LOG, storage), DETACHED)) {
                CompletableFuture<Throwable> thrown =
                        log.reached(log.position() + 1, level).thenApply(end -> wait.caught(log));
                log.append(BYTES, 0, BYTES.length);
                log.commit(level);
                checkRefused(thrown.get(60, TimeUnit.SECONDS));
                goesOn(log);
            }
        }
    }

    /** It is run by the thread that syncs in the background, for which the writer thread may wait. Without two that wait only if that is slow. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"APPEND", "FLUSH"})
    void shouldRefuseAStepThatWaitsInTheBackground(Wait wait) throws Exception {
        try (DetachedLog log = DetachedLog.over(Log.open(LOG, storage), DETACHED)) {
            goesOn(log); // all is synced, so the writer thread has nothing to sync for the future
            CompletableFuture<Throwable> thrown =
                    log.reached(log.position() + 1, Durability.SYNCED).thenApply(end -> wait.caught(log));
            log.append(BYTES, 0, BYTES.length);
            log.commitWithin(Duration.ofMillis(1));
            checkRefused(thrown.get(60, TimeUnit.SECONDS));
            goesOn(log);
        }
    }

    private static void goesOn(DetachedLog log) {
        long end = log.append(BYTES, 0, BYTES.length);
        log.commit(Durability.SYNCED);
        assertThat(log.syncedPosition()).isGreaterThanOrEqualTo(end);
    }

    /** Whoever asks for it may hold a lock that the listener waits for. */
    @Test
    void shouldMakeAFutureWhileAListenerWaits() throws Exception {
        try (DetachedLog log = DetachedLog.over(Log.open(LOG, storage), DETACHED)) {
            CountDownLatch isCalled = new CountDownLatch(1);
            CountDownLatch mayReturn = new CountDownLatch(1);
            log.listen(Durability.FLUSHED, position -> {
                isCalled.countDown();
                Await.latch(mayReturn);
            });
            long end = log.append(BYTES, 0, BYTES.length);
            Await.latch(isCalled);
            CompletableFuture<CompletableFuture<Long>> made =
                    CompletableFuture.supplyAsync(() -> log.reached(end, Durability.FLUSHED));
            try {
                assertThat(made.get(60, TimeUnit.SECONDS)).isCompletedWithValue(end);
            } finally {
                mayReturn.countDown();
            }
        }
    }

    /** It has room, and the commit is for others to await. */
    @Test
    void shouldLetAListenerDoWhatDoesNotWait() throws Exception {
        try (DetachedLog log = DetachedLog.over(Log.open(LOG, storage), DETACHED)) {
            CompletableFuture<Long> ends = new CompletableFuture<>();
            log.listen(Durability.SYNCED, position -> {
                if (!ends.isDone()) {
                    long end = log.append(BYTES, 0, BYTES.length);
                    log.commit(Durability.BUFFERED);
                    log.reached(end, Durability.SYNCED).thenAccept(ends::complete);
                }
            });
            log.append(BYTES, 0, BYTES.length);
            long first = log.commit(Durability.SYNCED);
            assertThat(ends.get(60, TimeUnit.SECONDS)).isGreaterThan(first);
        }
    }

    /** Before it is changed: the change of a commit that throws would be there all the same. */
    @Test
    void shouldRefuseAStepThatUsesAStore() throws Exception {
        StoreConfig config = StoreConfig.builder(LOG).build();
        try (StoreLogger store = StoreLogger.open(config, DETACHED, storage, new CrashableStorage())) {
            byte[] key = {1};
            CompletableFuture<Throwable> thrown = store.reached(store.position() + 1, Durability.FLUSHED)
                    .thenApply(end -> catchThrowable(() -> store.put(key, BYTES, Durability.SYNCED)));
            store.put(new byte[] {2}, BYTES, Durability.BUFFERED);
            assertThat(thrown.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("use the store in another thread");
            assertThat(store.contains(key)).isFalse();
            store.put(key, BYTES, Durability.SYNCED);
        }
    }
}
