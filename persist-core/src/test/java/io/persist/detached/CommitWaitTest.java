package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a thread waits for its commit: asleep, or awake for a while. */
@Timeout(60)
class CommitWaitTest {

    private static final long FOREVER = Long.MAX_VALUE;

    /** CPU time that no thread takes that sleeps. */
    private static final long MORE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CrashableStorage storage = new CrashableStorage();
    private final byte[] payload = new byte[100];
    private Log inner;

    private DetachedLog open(WaitStrategy strategy, YieldPolicy yields) {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(1 << 20).build();
        inner = Log.open(config, storage);
        return DetachedLog.over(
                inner, DetachedConfig.builder().waitStrategy(strategy).build(), any -> yields);
    }

    private Thread commitWhileHeld(DetachedLog log, HeldSyncs syncs) {
        storage.hook(syncs);
        syncs.holdWrites();
        log.append(payload, 0, payload.length);
        Thread waiting = new Thread(() -> log.commit(Durability.SYNCED), "waiting");
        waiting.start();
        return waiting;
    }

    private static void end(Thread waiting, DetachedLog log, HeldSyncs syncs) throws InterruptedException {
        assertThat(waiting.isAlive()).isTrue();
        syncs.releaseAll();
        waiting.join(Duration.ofSeconds(30).toMillis());
        assertThat(waiting.isAlive()).isFalse();
        assertThat(log.syncedPosition()).isEqualTo(log.position());
    }

    /** A thread that yields looks at the position itself: it is not among those that have to be woken. */
    @Test
    void shouldNotSleepAsLongAsItMayYield() throws InterruptedException {
        HeldSyncs syncs = new HeldSyncs();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (DetachedLog log = open(WaitStrategy.YIELDING, new YieldPolicy(Integer.MAX_VALUE, FOREVER, 0))) {
            Thread waiting = commitWhileHeld(log, syncs);
            syncs.awaitHeld();
            long before = threads.getThreadCpuTime(waiting.getId());
            Await.until("it runs", () -> threads.getThreadCpuTime(waiting.getId()) > before + MORE_NS);
            assertThat(inner.positions().waiters().count()).isZero();
            end(waiting, log, syncs);
        }
    }

    @ParameterizedTest
    @EnumSource(WaitStrategy.class)
    void shouldSleepWhileTheDeviceTakesLong(WaitStrategy strategy) throws InterruptedException {
        HeldSyncs syncs = new HeldSyncs();
        try (DetachedLog log = open(strategy, YieldPolicy.of(strategy))) {
            Thread waiting = commitWhileHeld(log, syncs);
            Await.until("the commit sleeps", () -> inner.positions().waiters().count() == 1);
            end(waiting, log, syncs);
        }
    }

    /** The position is never reached, because nobody syncs: only the time, or the interrupt, ends the wait. */
    @Test
    void shouldHeedTheTimeAndInterruptsWhileItYields() throws InterruptedException {
        HeldSyncs syncs = new HeldSyncs();
        try (DetachedLog log = open(WaitStrategy.YIELDING, new YieldPolicy(Integer.MAX_VALUE, FOREVER, 0))) {
            Thread waiting = commitWhileHeld(log, syncs);
            syncs.awaitHeld();
            long end = log.position();
            assertThat(log.await(end, Durability.SYNCED, Duration.ofMillis(1))).isFalse();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> log.await(end, Durability.SYNCED, Duration.ofDays(1)))
                    .isInstanceOf(InterruptedException.class);
            end(waiting, log, syncs);
        }
    }
}
