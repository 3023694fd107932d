package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread that syncs in the background runs a step of a future, which must not wait for that thread. */
@Timeout(120)
class StepInBackgroundTest {

    /** It only ends what hangs. */
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final byte[] BYTES = new byte[8];

    private final CrashableStorage storage = new CrashableStorage();
    private final ReentrantLock guard = new ReentrantLock();

    private enum Use {
        APPEND,
        COMMIT,
        BOUNDED_COMMIT,
        AWAIT_COMMIT,
        AWAIT,
        CLOSE;

        void in(Log log, long end) throws InterruptedException {
            switch (this) {
                case APPEND -> log.append(BYTES, 0, BYTES.length);
                case COMMIT -> log.commit(Durability.SYNCED);
                case BOUNDED_COMMIT -> {
                    append(log);
                    log.commit(Durability.SYNCED, LONG);
                }
                case AWAIT_COMMIT -> log.awaitCommit(end + 1, Durability.SYNCED, LONG);
                case AWAIT -> log.await(end + 1, Durability.SYNCED, LONG);
                case CLOSE -> log.close();
            }
        }
    }

    private static LogConfig.Builder config() {
        return LogConfig.builder(Path.of("memory")).segmentLength(1 << 16).writeMode(WriteMode.FILE);
    }

    private static long append(Log log) {
        return log.append(BYTES, 0, BYTES.length);
    }

    /** What {@code step} throws, which is run when the background thread has synced. */
    private static Throwable thrown(CompletableFuture<Throwable> step) throws Exception {
        return step.get(60, TimeUnit.SECONDS);
    }

    private static void checkRefused(Throwable thrown) {
        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("in another thread");
    }

    private Throwable locked(Use use, Log log, long end) {
        guard.lock();
        try {
            return catchThrowable(() -> use.in(log, end));
        } finally {
            guard.unlock();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAStepThatHasTheLock(Use use) throws Exception {
        try (Log log = Log.open(config().guardedBy(guard).build(), storage)) {
            CompletableFuture<Throwable> step =
                    log.reached(log.position() + 1, Durability.SYNCED).thenApply(end -> locked(use, log, end));
            guard.lock();
            try {
                append(log);
                log.commitWithin(Duration.ofMillis(1));
            } finally {
                guard.unlock();
            }
            checkRefused(thrown(step));
        }
    }

    /** Or nobody else could write any more: the thread lives as long as the log. */
    @Test
    void shouldNotMakeItsThreadTheOwner() throws Exception {
        try (Log log = Log.open(config().build(), storage)) {
            CompletableFuture<Throwable> step = log.reached(log.position() + 1, Durability.SYNCED)
                    .thenApply(end -> catchThrowable(() -> append(log)));
            append(log);
            log.commitWithin(Duration.ofDays(1));
            log.handOver();
            log.completion().syncWithin(log.position(), Duration.ZERO);
            checkRefused(thrown(step));
            append(log);
        }
    }

    @Test
    void shouldRefuseAStepThatUsesAStore() throws Exception {
        StoreConfig config = StoreConfig.builder(config().build()).build();
        try (StoreLogger store = StoreLogger.open(config, storage, new CrashableStorage())) {
            byte[] key = {1};
            CompletableFuture<Throwable> step = store.reached(store.position() + 1, Durability.SYNCED)
                    .thenApply(end -> catchThrowable(() -> store.put(key, BYTES, Durability.BUFFERED)));
            store.put(new byte[] {2}, BYTES, Durability.FLUSHED);
            store.reached(store.position(), Durability.SYNCED).get(60, TimeUnit.SECONDS);
            checkRefused(thrown(step));
            assertThat(store.contains(key)).isFalse();
        }
    }
}
