package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.LogFullException;
import io.persist.error.QueueFullException;
import io.persist.format.SegmentHeader;
import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a segment goes through the queue in its turn, and the positions behind it are known at once. */
@ParameterizedClass
@EnumSource(WriteMode.class)
class DetachedRollTest {

    private static final int LENGTH = 1 << 20;
    private static final int CONTROL = 4096;
    private static final long FIRST = SegmentHeader.LENGTH;
    private static final long SECOND = LENGTH + FIRST;

    @Parameter
    WriteMode mode;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private DetachedLog log;

    private void open(DetachedConfig.Builder config) {
        LogConfig logConfig = LogConfig.builder(Path.of("memory"))
                .segmentLength(LENGTH)
                .writeMode(mode)
                .build();
        log = DetachedLog.over(Log.open(logConfig, storage), config.build());
    }

    @AfterEach
    void close() {
        syncs.releaseAll();
        storage.capacityBytes(1L << 40);
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** The segment is of an earlier life, and longer than what may wait for the device. */
    @Test
    void shouldEndASegmentThatIsLongerThanWhatMayWaitAndClose() {
        LogConfig.Builder config = LogConfig.builder(Path.of("memory")).writeMode(mode);
        try (Log first = Log.open(config.segmentLength(LENGTH).build(), storage)) {
            Records.append(first);
        }
        config.segmentLength(LENGTH / 64).maxUnsyncedBytes(LENGTH / 16);
        Thread user = new Thread(() -> {
            DetachedConfig queue = DetachedConfig.builder().build();
            try (DetachedLog next = DetachedLog.over(Log.open(config.build(), storage), queue)) {
                assertThat(next.roll()).isEqualTo(SECOND);
            }
        });
        user.setDaemon(true);
        user.start();
        Await.until("the log is closed", () -> !user.isAlive());
        try (Log again = Log.open(config.build(), storage)) {
            assertThat(again.position()).isEqualTo(SECOND);
        }
    }

    private long append(int number) {
        byte[] record = Records.of(number);
        return log.append(record, 0, record.length);
    }

    /** The writer thread is in a sync: what is called now stays in the queue. */
    private void holdTheWriter() {
        storage.hook(syncs);
        syncs.hold();
        append(1);
        log.reached(log.acceptedPosition(), Durability.SYNCED);
        syncs.awaitHeld();
    }

    private int readAll() {
        log.flush();
        try (Tailer tailer = log.tailer()) {
            return (int) Records.readAll(tailer);
        }
    }

    @Test
    void shouldKeepItsTurn() {
        open(DetachedConfig.builder());
        holdTheWriter();
        append(2);
        assertThat(log.roll()).isEqualTo(SECOND);
        assertThat(log.roll()).as("no record yet").isEqualTo(SECOND);
        assertThat(log.acceptedPosition()).isEqualTo(SECOND);
        assertThat(log.position()).isLessThan(SECOND);
        long committed = log.commit(Durability.BUFFERED);
        assertThat(committed).isEqualTo(SECOND);
        assertThat(append(3)).isGreaterThan(SECOND);
        assertThat(log.roll()).isEqualTo(SECOND + LENGTH);
        syncs.releaseAll();
        assertThat(append(4)).isGreaterThan(SECOND + LENGTH);
        assertThat(readAll()).isEqualTo(4);
        assertThat(log.statistics().rolls()).isEqualTo(2);
        List<Long> starts = new ArrayList<>();
        try (Tailer tailer = log.tailer()) {
            while (tailer.next()) {
                if (tailer.startsCommit()) {
                    starts.add(tailer.sequence());
                }
            }
        }
        assertThat(starts).containsExactly(1L, 3L);
    }

    @Test
    void shouldDoNothingInALogWithoutARecord() {
        open(DetachedConfig.builder());
        assertThat(log.roll()).isEqualTo(FIRST);
        assertThat(log.acceptedPosition()).isEqualTo(FIRST);
        append(1);
        log.sync();
        assertThat(log.statistics().rolls()).isZero();
    }

    @Test
    void shouldBeSyncedAsARecordIs() {
        open(DetachedConfig.builder());
        append(1);
        long next = log.roll();
        log.sync();
        assertThat(log.syncedPosition()).isGreaterThanOrEqualTo(next);
    }

    @Test
    void shouldBeRefusedByAFullQueue() {
        open(DetachedConfig.builder().queueDepth(2).failWhenFull());
        holdTheWriter();
        append(2);
        append(3);
        long end = log.acceptedPosition();
        assertThatExceptionOfType(QueueFullException.class).isThrownBy(log::roll);
        assertThat(log.acceptedPosition()).isEqualTo(end);
        syncs.releaseAll();
        Await.until("there is room", () -> log.position() == end);
        assertThat(log.roll()).isEqualTo(SECOND);
        assertThat(readAll()).isEqualTo(3);
    }

    /** The rest of the segment is more than the bytes that a queue may have. */
    @Test
    void shouldTakeNoBytesOfTheQueue() {
        open(DetachedConfig.builder().queueBytes(100_000).failWhenFull());
        holdTheWriter();
        append(2);
        for (int i = 3; i <= 20; i++) {
            log.roll();
            append(i);
        }
        syncs.releaseAll();
        assertThat(readAll()).isEqualTo(20);
        byte[] long1 = new byte[99_000];
        log.append(long1, 0, long1.length);
        log.sync();
        assertThat(log.statistics().rolls()).isEqualTo(18);
    }

    @Test
    void shouldTakeAClaimOfTheThreadAsAnAppendDoes() {
        open(DetachedConfig.builder());
        append(1);
        Claim claim = log.claim(Records.of(2).length);
        claim.payload().put(Records.of(2));
        assertThat(log.roll()).isEqualTo(SECOND);
        assertThat(claim.publish()).isGreaterThan(SECOND);
        assertThat(readAll()).isEqualTo(2);
    }

    @Test
    void shouldWaitInTheQueueWhileTheDiskIsFull() {
        storage.capacityBytes(LENGTH + CONTROL);
        open(DetachedConfig.builder());
        append(1);
        log.roll();
        Await.until("the disk is full", () -> {
            try {
                append(2);
                return false;
            } catch (LogFullException full) {
                return true;
            }
        });
        long last = log.acceptedPosition();
        storage.capacityBytes(1L << 40);
        Await.until("all is written", () -> log.position() == last);
        assertThat(log.statistics().rolls()).isEqualTo(1);
    }

    /** An end of a segment is none of the records that could not be written. */
    @Test
    void shouldNotCountAsARecordThatIsLost() {
        storage.capacityBytes(LENGTH + CONTROL);
        open(DetachedConfig.builder());
        holdTheWriter();
        append(2);
        log.roll();
        append(3);
        syncs.releaseAll();
        assertThatExceptionOfType(LogFullException.class)
                .isThrownBy(log::close)
                .withMessageContaining("; 1 accepted records could not be written");
    }

    @Test
    void shouldThrowOnceItIsClosed() {
        open(DetachedConfig.builder());
        append(1);
        log.roll();
        log.close();
        assertThatIllegalStateException().isThrownBy(log::roll).withMessage("logger is closed");
    }
}
