package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The writer thread has taken many records at once, and waits for space in the middle of them. */
class StalledBatchTest {

    private static final int LENGTH = 1 << 16;
    private static final int RECORDS = 40;
    private static final int RECORD = 16_000;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private final CountDownLatch mayFill = new CountDownLatch(1);

    private DetachedLog open(WriteMode mode) {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(LENGTH)
                .writeMode(mode)
                .build();
        DetachedLog log = DetachedLog.over(
                Log.open(config, storage), DetachedConfig.builder().build());
        Await.until("two segments are prepared", () -> storage.list().size() == 5);
        storage.hook((number, what) -> {
            if (Thread.currentThread().getName().startsWith("persist-filler") && what.startsWith("write")) {
                Await.latch(mayFill);
            }
            syncs.beforeOperation(number, what);
        });
        return log;
    }

    /** Nobody else does: a thread would see it when it looks the next time, and a future never. */
    @ParameterizedTest
    @EnumSource
    void shouldTellOfThoseThatHaveTheirLevel(WriteMode mode) throws Exception {
        try (DetachedLog log = open(mode)) {
            try {
                shouldTellWhileTheRestWaits(log);
            } finally {
                mayFill.countDown();
            }
        }
        assertThat(storage.openHandles()).isZero();
    }

    private void shouldTellWhileTheRestWaits(DetachedLog log) throws Exception {
        syncs.hold();
        log.reached(log.append(new byte[8], 0, 8), Durability.SYNCED);
        syncs.awaitHeld();
        CompletableFuture<Long> first = log.reached(log.append(new byte[8], 0, 8), Durability.FLUSHED);
        for (int i = 0; i < RECORDS; i++) { // more than is filled ahead
            log.append(new byte[RECORD], 0, RECORD);
        }
        assertThat(first).isNotDone();
        syncs.releaseAll();
        assertThat(first.get(30, TimeUnit.SECONDS)).isPositive();
        assertThat(log.statistics().queueDepth())
                .as("records that wait for space")
                .isPositive();
    }
}
