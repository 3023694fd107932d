package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.LogMonitor;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.monitor.LogStatistics;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many times the device is told to sync for many commits that come while it syncs, counted exactly. */
class DetachedGroupCommitTest {

    private static final int PRODUCERS = 7;

    private final CrashableStorage storage = new CrashableStorage();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HeldSyncs syncs = new HeldSyncs();
    private Log inner;
    private DetachedLog log;

    private void open(LogConfig.Builder config, WriteMode mode) {
        LogConfig complete = config.segmentLength(1 << 20).writeMode(mode).build();
        inner = Log.open(complete, storage);
        log = DetachedLog.over(inner, DetachedConfig.builder().build());
        Await.until("two segments are prepared", () -> storage.list().size() == 5);
        storage.hook(syncs);
    }

    private void open(WriteMode mode) {
        open(LogConfig.builder(Path.of("memory")), mode);
    }

    @AfterEach
    void close() throws InterruptedException {
        syncs.releaseAll();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    private long append() {
        return log.append(new byte[100], 0, 100);
    }

    /** In mode FILE a commit is one write-through, if all before it was synced: so writes are held too. */
    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldServeAllCommitsThatCameMeanwhileWithOneMoreSync(WriteMode mode) throws Exception {
        open(mode);
        append();
        log.commit(Durability.SYNCED);
        syncs.holdWrites();
        long before = log.statistics().syncs();
        List<Future<Long>> commits = new ArrayList<>();
        append();
        commits.add(threads.submit(() -> log.commit(Durability.SYNCED)));
        syncs.awaitHeld();
        for (int i = 1; i <= PRODUCERS; i++) {
            long end = append();
            commits.add(threads.submit(() -> log.commit(Durability.SYNCED)));
            int waiting = 1 + i;
            Await.until(
                    "the commit at " + end + " waits",
                    () -> inner.positions().waiters().count() == waiting);
        }
        assertThat(log.statistics().syncs() - before).isEqualTo(1);
        assertThat(commits).noneMatch(Future::isDone);
        syncs.release();
        for (Future<Long> commit : commits) {
            assertThat(commit.get(30, TimeUnit.SECONDS)).isLessThanOrEqualTo(log.syncedPosition());
        }
        assertThat(log.syncedPosition()).isEqualTo(log.position());
        assertThat(log.statistics().syncs() - before).isEqualTo(2);
    }

    /** The sync that is under way is enough for it, and no other one comes in which the writer thread would count it. */
    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldStoreTheNumberOfSyncedCommitsWhenItIsClosed(WriteMode mode) throws Exception {
        open(mode);
        append();
        log.commit(Durability.SYNCED);
        append();
        syncs.holdWrites();
        Future<Long> first = threads.submit(() -> log.commit(Durability.SYNCED));
        syncs.awaitHeld();
        Future<Long> second = threads.submit(() -> log.commit(Durability.SYNCED));
        Await.until("both wait", () -> inner.positions().waiters().count() == 2);
        syncs.release();
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(second.get(30, TimeUnit.SECONDS));
        assertThat(log.statistics().syncedCommits()).isEqualTo(3);
        log.close();
        LogStatistics stored = new LogMonitor(storage).read().statistics();
        assertThat(stored.syncedCommits()).isEqualTo(3);
        assertThat(stored).isEqualTo(log.statistics());
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldSyncOnceForManyDelayedCommits(WriteMode mode) {
        open(mode);
        long before = log.statistics().syncs();
        for (int i = 0; i < 100; i++) {
            append();
            log.commitWithin(Duration.ofMinutes(10));
        }
        long end = append();
        assertThat(log.commit(Durability.FLUSHED)).isEqualTo(end);
        log.commitWithin(Duration.ZERO);
        Await.until("the last is synced", () -> log.syncedPosition() == end);
        assertThat(log.statistics().syncs() - before).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldSyncInTheIntervalsWithoutAnybodyWaiting(WriteMode mode) {
        open(LogConfig.builder(Path.of("memory")).syncInterval(Duration.ofMillis(1)), mode);
        long end = append();
        log.commit(Durability.BUFFERED);
        Await.until("what is committed is synced", () -> log.syncedPosition() == end);
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldSyncAfterSoManyBytesWithoutAnybodyWaiting(WriteMode mode) {
        open(LogConfig.builder(Path.of("memory")).syncIntervalBytes(1000), mode);
        long end = 0;
        while (end < 3000) {
            end = append();
            log.commit(Durability.BUFFERED);
        }
        Await.until("what is committed is synced", () -> log.syncedPosition() >= 2000);
    }
}
