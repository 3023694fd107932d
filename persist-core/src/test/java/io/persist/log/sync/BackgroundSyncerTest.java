package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.control.ControlFile;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.thread.LogThread;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the background thread syncs, and when not. */
class BackgroundSyncerTest {

    private static final Duration LATE = Duration.ofHours(1);
    private static final int SEGMENT = 1 << 20;
    private static final int RECORD = 1 << 16;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private Log log;

    private void open(LogConfig.Builder config) {
        log = Log.open(config.segmentLength(SEGMENT).build(), storage);
        Await.until("two segments are prepared", () -> storage.list().size() == 5);
        storage.hook(syncs);
    }

    @AfterEach
    void close() {
        syncs.releaseAll();
        log.close();
        assertThat(thread()).as("its thread has ended").isNull();
        assertThat(storage.openHandles()).isZero();
    }

    private static Thread thread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(LogThread.name("sync", "memory")))
                .findFirst()
                .orElse(null);
    }

    private long commit(Duration maxDelay) {
        Records.append(log);
        return log.commitWithin(maxDelay);
    }

    private static void awaitSleep() {
        Await.until("it sleeps", () -> thread() != null && thread().getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void shouldSleepUntilItIsNeeded() {
        open(WriterKind.MAPPED.config());
        Records.append(log);
        log.commit(Durability.FLUSHED);
        awaitSleep();
        assertThat(syncs.count()).isZero();
    }

    @Test
    void shouldWaitUntilTheFirstIsDue() {
        open(WriterKind.MAPPED.config());
        commit(LATE);
        awaitSleep();
        assertThat(syncs.count()).isZero();
        assertThat(log.syncedPosition()).isLessThan(log.position());
    }

    @Test
    void shouldBeWokenByWhatIsDueEarlier() {
        open(WriterKind.MAPPED.config());
        commit(LATE);
        awaitSleep();
        long end = commit(Duration.ofMillis(1));
        Await.until("both are synced", () -> log.syncedPosition() == end);
        commit(LATE);
        awaitSleep();
        assertThat(syncs.count()).isEqualTo(1);
    }

    @Test
    void shouldNotBeMadeLaterByWhatIsDueLater() {
        open(WriterKind.MAPPED.config());
        Duration soon = Duration.ofMillis(10);
        long end;
        int before;
        do { // until this thread was quick enough
            soon = soon.multipliedBy(2);
            before = syncs.count();
            long first = commit(soon);
            end = commit(LATE);
            Await.until("the first is synced", () -> log.syncedPosition() >= first);
        } while (log.syncedPosition() < end && soon.compareTo(Duration.ofSeconds(5)) < 0);
        assertThat(log.syncedPosition()).as("both are").isEqualTo(end);
        assertThat(syncs.count() - before).isEqualTo(1);
    }

    @Test
    void shouldBeginToSyncByTimeWhenItIsTold() {
        open(WriterKind.MAPPED.config());
        Records.append(log);
        long end = log.commit(Durability.BUFFERED);
        awaitSleep();
        log.completion().syncInterval(Duration.ofMillis(1));
        Await.until("it is synced", () -> log.syncedPosition() == end);
    }

    @Test
    void shouldSyncAfterSoManyBytesWhateverTimeTheCommitsHave() {
        open(WriterKind.FILE_RW.config().syncIntervalBytes(3 * RECORD));
        byte[] record = new byte[RECORD];
        for (int i = 0; i < 3; i++) {
            log.append(record, 0, RECORD);
            log.commitWithin(LATE);
        }
        long end = log.position();
        Await.until("so many bytes are synced", () -> log.syncedPosition() == end);
    }

    @Test
    void shouldTakeAnotherIntervalInItsSleep() {
        open(WriterKind.MAPPED.config().syncInterval(LATE));
        Records.append(log);
        long first = log.commit(Durability.BUFFERED);
        awaitSleep();
        assertThat(syncs.count()).isZero();
        log.completion().syncInterval(Duration.ofMillis(1));
        Await.until("it is synced", () -> log.syncedPosition() == first);
    }

    /** Although it may have synced before the one that asked for it has gone on. */
    @Test
    void shouldSyncOnceForEachThatIsDueAtOnce() {
        open(WriterKind.MAPPED.config());
        for (int i = 1; i <= 300; i++) {
            long end = commit(Duration.ZERO);
            Await.until("it is synced", () -> log.syncedPosition() == end);
            commit(LATE);
            assertThat(syncs.count()).isEqualTo(i);
        }
    }

    @Test
    void shouldTakeDelaysOfAnyLength() {
        open(WriterKind.MAPPED.config());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit(Duration.ofNanos(-1)))
                .withMessageContaining("maxDelay=PT-0.000000001S");
        commit(Duration.ofSeconds(Long.MAX_VALUE));
        long end = commit(Duration.ZERO);
        Await.until("both are synced", () -> log.syncedPosition() == end);
    }

    @Test
    void shouldNotSyncInTheIntervalWhatIsSyncedAlready() {
        open(WriterKind.MAPPED.config().syncInterval(Duration.ofMillis(1)));
        awaitTicks(); // the first of them may sync the header
        int before = syncs.count();
        for (int i = 1; i <= 5; i++) {
            long end = commit(LATE);
            Await.until("it is synced", () -> log.syncedPosition() == end);
            awaitTicks();
            assertThat(syncs.count() - before).isEqualTo(i);
        }
    }

    /** However often it is asked for segments that are sealed. */
    @Test
    void shouldSyncWhatIsCommittedInTheIntervalBesideSealedSegments() {
        open(WriterKind.MAPPED.config().syncInterval(Duration.ofMillis(200)));
        long inSealed = Records.append(log);
        while (log.statistics().rolls() == 0) {
            log.append(new byte[RECORD], 0, RECORD);
        }
        long end = log.commit(Durability.BUFFERED);
        Await.until("it is synced", () -> {
            log.completion().syncWithin(inSealed, Duration.ZERO);
            return log.syncedPosition() >= end;
        });
    }

    /** Although the appender is in the next segment by then. */
    @Test
    void shouldKnowTheLastRecordOfWhatItHasSynced() throws IOException {
        open(WriterKind.MAPPED.config());
        syncs.hold();
        commit(Duration.ZERO);
        long last = log.positions().lastPosition();
        syncs.awaitHeld();
        while (log.statistics().rolls() == 0) {
            log.append(new byte[RECORD], 0, RECORD);
        }
        syncs.releaseOne();
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            Await.until("it is known", () -> control.block().syncedHint() == last);
        }
    }

    /** Or recovery would begin a whole segment before: the appender's last MiB is not synced, and so tells nothing. */
    @Test
    void shouldKnowARecordAtTheEndOfASealedSegment() throws IOException {
        open(WriterKind.MAPPED.config());
        syncs.hold();
        while (log.statistics().rolls() < 2) {
            log.append(new byte[RECORD], 0, RECORD);
        }
        log.commit(Durability.BUFFERED);
        log.completion().syncWithin(SEGMENT, Duration.ZERO);
        syncs.awaitHeld();
        syncs.releaseOne();
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            Await.until("a record at its end is known", () -> control.block().syncedHint() > SEGMENT - 2 * RECORD);
        }
        assertThat(log.syncedPosition()).isEqualTo(SEGMENT);
    }

    /** Until it has slept so often that two intervals have passed, although a commit and a signal end a sleep too. */
    private static void awaitTicks() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long thread = thread().getId();
        long goal = threads.getThreadInfo(thread).getWaitedCount() + 4;
        Await.until("intervals have passed", () -> threads.getThreadInfo(thread).getWaitedCount() >= goal);
    }

    /** In mode FILE what was asked for can be in the buffer still. It sleeps even if it expects a sync to take long. */
    @Test
    void shouldComeBackForWhatIsFlushedLater() {
        open(WriterKind.FILE_RW.config());
        storage.hook((number, what) -> LockSupport.parkNanos(5_000_000));
        Records.append(log);
        log.commit(Durability.SYNCED);
        storage.hook(syncs);
        long end = Records.append(log);
        log.completion().syncWithin(end, Duration.ZERO);
        awaitSleep();
        log.flush();
        Await.until("it is synced", () -> log.syncedPosition() == end);
    }

    @Test
    void shouldEndWithTheSyncThatIsUnderWay() throws InterruptedException {
        open(WriterKind.MAPPED.config());
        syncs.hold();
        long end = commit(Duration.ZERO);
        syncs.awaitHeld();
        Thread closing = new Thread(log::close);
        closing.start();
        Await.until("close waits", () -> closing.getState() == Thread.State.WAITING);
        closing.interrupt();
        syncs.release();
        closing.join(30_000);
        assertThat(closing.isAlive()).isFalse();
        assertThat(log.syncedPosition()).isEqualTo(end);
    }

    @Test
    void shouldEndTheLogWhenItsSyncFails() {
        open(WriterKind.MAPPED.config());
        storage.hook((number, what) -> {
            throw new IOException("gone");
        });
        commit(Duration.ZERO);
        Await.until("the log has failed", log.positions()::hasFailed);
        assertThat(catchThrowable(() -> Records.append(log))).isInstanceOf(LogIOException.class);
        assertThat(catchThrowable(log::close)).hasMessageContaining("gone");
    }

    /** Each thread that is made asks for its value. */
    private static final class NoThread extends InheritableThreadLocal<Integer> {

        private boolean fails;

        @Override
        protected Integer childValue(Integer parents) {
            if (fails) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return parents;
        }
    }

    /** The log's own threads ask too: they were made by one that has the value. */
    @Test
    void shouldNeedNoThreadOnceTheLogIsOpen() {
        NoThread noThread = new NoThread();
        noThread.set(1);
        try {
            open(WriterKind.MAPPED.config());
            noThread.fails = true;
            while (log.statistics().rolls() < 5) { // the filler has gone on after it had the first one synced
                log.append(new byte[RECORD], 0, RECORD);
            }
            long end = commit(Duration.ZERO);
            Await.until("all is synced", () -> log.syncedPosition() == end);
        } finally {
            noThread.remove();
        }
    }
}
