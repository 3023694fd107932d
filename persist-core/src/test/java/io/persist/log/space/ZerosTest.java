package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.segment.ZeroWriter;
import io.persist.support.Await;
import io.persist.support.HeldFailure;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the filler writes, what of it is synced, and what that costs the appender. */
class ZerosTest {

    private static final int SEGMENT_LENGTH = 1 << 20;
    private static final int ENOUGH_TO_JUDGE = 5 << 20;

    private final CrashableStorage storage = new CrashableStorage();
    private final AtomicInteger syncsOfZeros = new AtomicInteger();

    private Log log;

    private void open(WriterKind kind) {
        log = Log.open(kind.config().segmentLength(SEGMENT_LENGTH).build(), storage);
        storage.hook((number, what) -> {
            if (isFiller() && what.matches("sync \\d+\\.log")) {
                syncsOfZeros.incrementAndGet();
            }
        });
    }

    private static boolean isFiller() {
        return Thread.currentThread().getName().startsWith("fill ");
    }

    private void append(long bytes) {
        long end = log.position() + bytes;
        while (log.position() < end) {
            Records.append(log);
        }
    }

    @AfterEach
    void close() {
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveZerosInThePageCacheWhereNothingIsSynced(WriterKind kind) {
        open(kind);
        append(ENOUGH_TO_JUDGE);
        Await.until(
                "there is space ahead",
                () -> log.statistics().segmentsFilled() > log.statistics().rolls());
        if (kind.isMapped() || kind == WriterKind.FILE_RW) { // the other modes sync each write
            assertThat(syncsOfZeros).hasValue(0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSyncZerosWhereSmallCommitsAreSynced(WriterKind kind) {
        open(kind);
        for (int i = 0; i < 20; i++) {
            Records.append(log);
            log.commit(Durability.SYNCED);
        }
        Await.until("zeros are synced", () -> syncsOfZeros.get() > 0);
    }

    /** A commit waits at the device behind the zeros that are synced when it comes. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldSyncFewZerosAtOnce(WriterKind kind) {
        LogConfig config = kind.config()
                .segmentLength(4 * FilledSpace.SYNC_LENGTH)
                .durability(Durability.SYNCED)
                .build();
        AtomicInteger unsynced = new AtomicInteger();
        AtomicInteger mostUnsynced = new AtomicInteger();
        storage.hook((number, what) -> {
            if (isFiller() && what.matches("write \\d+\\.log")) {
                mostUnsynced.accumulateAndGet(unsynced.addAndGet(ZeroWriter.shortPieceLength(config)), Math::max);
            } else if (isFiller() && what.matches("sync \\d+\\.log")) {
                unsynced.set(0);
            }
        });
        log = Log.open(config, storage);
        Await.segmentsAhead(log, 2);
        assertThat(mostUnsynced.get()).isBetween(1, FilledSpace.SYNC_LENGTH);
    }

    @Test
    void shouldSlowTheAppenderDownWhenSpaceIsFilledSlowly() {
        open(WriterKind.MAPPED);
        storage.hook((number, what) -> {
            if (isFiller() && what.startsWith("write ")) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // a slow device
            }
        });
        for (int i = 0; i < 10 && log.statistics().paces() == 0; i++) { // where the appender has no CPU, it is slow too
            append(ENOUGH_TO_JUDGE);
        }
        assertThat(log.statistics().paces()).isPositive();
        assertThat(log.statistics().paceNs()).isPositive();
    }

    /** There may be records in the file by then: after the error nobody knows what of them is on the device. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldFailTheLogWhenASyncOfZerosFails(WriterKind kind) {
        Log failing = Log.open(kind.config().segmentLength(SEGMENT_LENGTH).build(), storage);
        log = failing;
        storage.hook((number, what) -> {
            if (isFiller() && what.startsWith("sync ")) {
                throw new IOException("gone");
            }
        });
        Throwable thrown = catchThrowable(() -> {
            while (true) {
                Records.append(failing);
                failing.commit(Durability.SYNCED);
            }
        });
        // The sync of the records is told of it too, and may be the first to end the log.
        assertThat(thrown).isInstanceOf(LogIOException.class).hasMessageMatching(".*sync (of zeros )?failed.*");
        assertThat(catchThrowable(failing::close)).isInstanceOf(LogIOException.class);
        log = Log.open(kind.config().segmentLength(SEGMENT_LENGTH).build(), storage);
        assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
    }

    /** The thread that appends syncs after that sync has failed, and before the filler's thread has heard of it. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldNotCountAsSyncedWhatASyncOfZerosHasLost(WriterKind kind) {
        CountDownLatch flushed = new CountDownLatch(1);
        storage.hook((number, what) -> {
            if (isFiller() && what.matches("sync \\d+\\.log")) {
                Await.latch(flushed);
                throw new IOException("gone");
            }
        });
        HeldFailure failure = new HeldFailure(storage);
        log = Log.open(kind.config().durability(Durability.SYNCED).build(), failure);
        Records.appendUntilRolled(log, 1);
        log.flush();
        flushed.countDown(); // there is a record in the segment of the zeros
        Throwable thrown;
        try {
            failure.await();
            thrown = catchThrowable(log::sync);
        } finally {
            failure.release();
        }
        assertThat(thrown).isInstanceOf(LogIOException.class).hasMessageContaining("Input/output error");
        assertThat(log.syncedPosition()).isLessThan(log.position());
        assertThat(catchThrowable(log::close)).isInstanceOf(LogIOException.class);
    }

    /** Nobody knows what of the files that are there is a hole. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldFillAgainWhatWasPreparedBefore(WriterKind kind) {
        open(kind);
        append(1000);
        log.close();
        AtomicInteger filled = new AtomicInteger();
        storage.hook((number, what) -> {
            if (what.matches("write \\d+\\.log")) {
                filled.incrementAndGet();
            }
        });
        log = Log.open(kind.config().segmentLength(SEGMENT_LENGTH).build(), storage);
        Await.until("two segments are filled", () -> log.statistics().segmentsFilled() == 2);
        assertThat(filled.get()).isGreaterThan(2);
        append(3 * SEGMENT_LENGTH);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
    }

    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldKeepWhatWasSyncedWhenThePowerGoesOverUnsyncedZeros(WriterKind kind) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        open(kind);
        append(ENOUGH_TO_JUDGE);
        log.sync();
        long synced = log.lastSequence();
        append(random.nextInt(SEGMENT_LENGTH));
        CrashableStorage after = storage.crash(random, CrashableStorage.Loss.RANDOM);
        assertThat(catchThrowable(log::close)).isNotNull(); // it has lost its storage
        try (Log reopened = Log.open(kind.config().segmentLength(SEGMENT_LENGTH).build(), after)) {
            assertThat(reopened.lastSequence()).as("seed=" + seed).isGreaterThanOrEqualTo(synced);
            Records.append(reopened, 100);
            reopened.commit(Durability.SYNCED);
            assertThat(Records.readAll(reopened)).as("seed=" + seed).isEqualTo(reopened.lastSequence());
        }
        log = Log.open(kind.config().segmentLength(SEGMENT_LENGTH).build(), new CrashableStorage());
    }
}
