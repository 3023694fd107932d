package io.persist.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.detached.DetachedLog;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a log tells a future whose position will never be reached, and the step of that closes the log too. */
@Timeout(100)
class CloseInCloseTest {

    private static final long NEVER = 1 << 20;

    private final CrashableStorage storage = new CrashableStorage();
    private final CountDownLatch isInStep = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    /** What is closed. */
    enum Kind {
        LOG,
        DETACHED,
        STORE
    }

    /** A second thread goes on when all is closed, and not before: it may open the log again. */
    @ParameterizedTest
    @EnumSource
    void shouldKeepASecondThreadUntilTheFirstHasEnded(Kind kind) throws InterruptedException {
        Runnable close = open(kind);
        Thread first = new Thread(close);
        first.start();
        Await.latch(isInStep);
        Thread second = new Thread(close);
        second.start();
        Await.until("the second waits, or has ended", () -> !second.isAlive() || Await.waitsForTurn(second));
        assertThat(second.isAlive()).as("the second waits").isTrue();
        mayGoOn.countDown();
        second.join();
        assertThat(storage.openHandles()).isZero();
        first.join();
    }

    /** Returns what closes it. */
    private Runnable open(Kind kind) {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(1 << 16).build();
        if (kind == Kind.STORE) {
            StoreLogger store = StoreLogger.open(StoreConfig.builder(config).build(), storage, storage);
            closeInStep(store.reached(NEVER, Durability.SYNCED), store::close);
            return store::close;
        }
        Log log = Log.open(config, storage);
        if (kind == Kind.LOG) {
            closeInStep(log.reached(NEVER, Durability.SYNCED), log::close);
            return log::close;
        }
        DetachedLog detached = DetachedLog.over(log, DetachedConfig.builder().build());
        closeInStep(detached.reached(NEVER, Durability.SYNCED), detached::close);
        return detached::close;
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void closeInStep(CompletableFuture<Long> future, Runnable close) {
        future.whenComplete((end, thrown) -> {
            close.run();
            isInStep.countDown();
            Await.latch(mayGoOn);
        });
    }
}
