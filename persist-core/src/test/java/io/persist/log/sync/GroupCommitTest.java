package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.thread.OnInterrupt;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** How many syncs the device sees, counted exactly, while one of them is held. */
@ParameterizedClass
@MappedAndFile
class GroupCommitTest {

    private static final int THREADS = 6;

    @Parameter
    WriterKind kind;

    private final CrashableStorage storage = new CrashableStorage();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HeldSyncs syncs = new HeldSyncs();
    private Log log;

    private void open(LogConfig.Builder config) {
        log = Log.open(config.segmentLength(1 << 20).build(), storage);
        Await.until("two segments are prepared", () -> storage.list().size() == 5);
        storage.hook(syncs);
    }

    @AfterEach
    void close() throws InterruptedException {
        syncs.releaseAll();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    private Future<Boolean> await(long position) {
        return threads.submit(() -> log.await(position, Durability.SYNCED, Duration.ofMinutes(1)));
    }

    private void awaitWaiting(int count) {
        Await.until(count + " wait", () -> log.positions().waiters().count() == count);
    }

    @Test
    void shouldServeAllThreadsThatCameMeanwhileWithOneMoreSync() throws Exception {
        open(kind.config());
        syncs.hold();
        Records.append(log);
        log.flush();
        List<Future<Boolean>> waiting = new ArrayList<>();
        waiting.add(await(log.position()));
        syncs.awaitHeld();
        for (int i = 1; i <= THREADS; i++) {
            Records.append(log);
            log.flush();
            waiting.add(await(log.position()));
            awaitWaiting(i);
        }
        assertThat(syncs.count()).isEqualTo(1);
        syncs.release();
        for (Future<Boolean> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(syncs.count()).isEqualTo(2);
    }

    @Test
    void shouldSyncOnceForManyDelayedCommits() {
        open(kind.config());
        for (int i = 0; i < 100; i++) {
            Records.append(log);
            log.commitWithin(Duration.ofMinutes(10));
        }
        Records.append(log);
        long end = log.commitWithin(Duration.ZERO);
        Await.until("the last is synced", () -> log.syncedPosition() == end);
        assertThat(syncs.count()).isEqualTo(1);
    }

    @Test
    void shouldSyncWhatWasCommittedMeanwhileOnceMore() {
        open(kind.config());
        syncs.hold();
        Records.append(log);
        log.commitWithin(Duration.ZERO);
        syncs.awaitHeld();
        for (int i = 0; i < 50; i++) {
            Records.append(log);
            log.commitWithin(Duration.ZERO);
        }
        long end = log.committedPosition();
        assertThat(log.syncedPosition()).isLessThan(end);
        syncs.release();
        Await.until("the last is synced", () -> log.syncedPosition() == end);
        assertThat(syncs.count()).isEqualTo(2);
    }

    @Test
    void shouldSyncInTheIntervalOfTimeWithoutAnybodyWaiting() {
        open(kind.config().syncInterval(Duration.ofMillis(1)));
        Records.append(log, 10);
        long end = log.commit(Durability.BUFFERED);
        Await.until("what is committed is synced", () -> log.syncedPosition() == end);
    }

    @Test
    void shouldSyncInTheIntervalOfBytesWithoutAnybodyWaiting() {
        open(kind.config().syncIntervalBytes(10_000));
        log.commit(Durability.BUFFERED);
        byte[] record = new byte[1000];
        while (log.committedPosition() < 9_000) {
            log.append(record, 0, record.length);
            log.commit(Durability.BUFFERED);
        }
        assertThat(syncs.count()).as("too few bytes so far").isZero();
        while (log.committedPosition() < 14_000) {
            log.append(record, 0, record.length);
            log.commit(Durability.BUFFERED);
        }
        Await.until("what is committed is synced", () -> log.syncedPosition() >= 10_000);
        assertThat(syncs.count()).isEqualTo(1);
    }

    /** Who only waits cannot take a turn: waking it would let those sleep on who can. */
    @Test
    void shouldHandTheTurnToAThreadThatCanLead() throws Exception {
        open(kind.config());
        syncs.hold();
        Records.append(log);
        log.commitWithin(Duration.ZERO);
        syncs.awaitHeld();
        Records.append(log);
        log.flush();
        long end = log.position();
        Future<Boolean> onlooker = threads.submit(
                () -> log.completion().awaitOthers(end, Durability.SYNCED, 60_000_000_000L, OnInterrupt.GO_ON));
        awaitWaiting(1);
        Future<Boolean> leader = await(end);
        awaitWaiting(2);
        syncs.release();
        assertThat(leader.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(onlooker.get(30, TimeUnit.SECONDS)).isTrue();
    }
}
