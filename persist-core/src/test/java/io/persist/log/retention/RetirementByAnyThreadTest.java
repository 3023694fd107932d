package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.log.Durability;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogFixture;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.segment.LogFiles;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Another thread than the owner takes segments away, and the owner goes on. */
@ParameterizedClass
@MappedAndFile
class RetirementByAnyThreadTest extends LogFixture {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    /** What {@code work} throws in a thread of its own; null if it ends. */
    private static @Nullable Throwable elsewhere(Runnable work) {
        return CompletableFuture.runAsync(work)
                .handle((done, error) -> error == null ? null : error.getCause())
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private RetentionPlan all() {
        return log.planRetention(RetentionRule.keepBytes(0));
    }

    @Test
    void shouldKeepTheNumbersAfterAPowerCut() throws Exception {
        openWithRolls(4);
        Records.append(log, 1);
        log.flush();
        long last = log.lastSequence();
        assertThat(elsewhere(() -> log.retire(all(), Retirement.DELETE))).isNull();
        assertThat(LogFiles.basePositions(storage).first()).isEqualTo(4 * LENGTH);

        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        DeadLog.end(log);
        storage = after;
        log = Log.open(kind.config().build(), storage);
        assertThat(log.lastSequence()).isEqualTo(last);
    }

    @Test
    void shouldNotHoldUpTheOwner() throws Exception {
        openWithRolls(4);
        Records.append(log, 1);
        log.flush();
        RetentionPlan plan = all();
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        storage.hook((number, what) -> {
            if (what.startsWith("delete ")) {
                isHeld.countDown();
                Await.latch(mayGoOn);
            }
        });
        CompletableFuture<Void> retiring = CompletableFuture.runAsync(() -> log.retire(plan, Retirement.DELETE));
        Await.latch(isHeld);
        long first = log.lastSequence();
        Records.append(log, 10);
        log.commit(Durability.SYNCED);
        assertThat(log.lastSequence()).isEqualTo(first + 10);
        mayGoOn.countDown();
        retiring.get(60, TimeUnit.SECONDS);
        assertThat(LogFiles.basePositions(storage).first()).isEqualTo(4 * LENGTH);
    }

    @Test
    void shouldNotBecomeTheOwner() {
        openWithRolls(4);
        Records.append(log, 1);
        log.flush();
        log.handOver();
        assertThat(elsewhere(() -> log.retire(all(), Retirement.DELETE))).isNull();
        Records.append(log, 1);
    }

    /** In a file what lies in the owner's buffer is nowhere else, and without it no record would tell the number. */
    @Test
    void shouldRefuseWhatTheOwnerHasNotFlushed() {
        openWithRolls(4);
        RetentionPlan plan = all();
        Throwable refused = elsewhere(() -> log.retire(plan, Retirement.DELETE));
        if (log.positions().flushed() > 4 * LENGTH + 64) {
            assertThat(refused).isNull();
            return;
        }
        assertThat(refused)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no record behind these segments is flushed yet: begins=" + (4 * LENGTH + 64) + ", flushed="
                        + log.positions().flushed() + "; flush in the thread that appends, or take fewer segments");
        log.flush();
        assertThat(elsewhere(() -> log.retire(plan, Retirement.DELETE))).isNull();
    }

    @Test
    void shouldRefuseAListener() throws Exception {
        openWithRolls(4);
        RetentionPlan plan = all();
        CompletableFuture<Throwable> refused = log.reached(log.position() + 1, Durability.SYNCED)
                .thenAccept(position -> log.retire(plan, Retirement.DELETE))
                .handle((done, error) -> error.getCause());
        Records.append(log, 1);
        log.commit(Durability.SYNCED);
        assertThat(refused.get(60, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must not use the log that has called it");
        assertThatIllegalStateException().isThrownBy(() -> {
            log.claim(8);
            try {
                log.retire(plan, Retirement.DELETE);
            } finally {
                log.abortClaim();
            }
        });
    }
}
