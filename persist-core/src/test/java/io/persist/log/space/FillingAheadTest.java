package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many segments the filler keeps ahead of the appender, and how far ahead of the device. */
class FillingAheadTest {

    private static final long MAX_UNSYNCED = (long) LogConfig.MIN_UNSYNCED_SEGMENTS * WriterKind.SEGMENT_LENGTH;

    private final CrashableStorage storage = new CrashableStorage();

    /** While it has a registered party beside the thread that waits for it, that thread goes no further. */
    private final Phaser gate = new Phaser(1);

    private Log log;

    private void open() {
        log = Log.open(WriterKind.MAPPED.config().build(), storage);
    }

    @AfterEach
    void close() {
        gate.forceTermination();
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldKeepOneSegmentMoreAfterAStall() throws InterruptedException {
        open();
        Await.segmentsAhead(log, 2);
        storage.hook((number, what) -> {
            if (what.startsWith("create") && Thread.currentThread().getName().startsWith("make ")) {
                gate.awaitAdvance(0);
            }
        });

        Thread appender = new Thread(() -> Records.appendUntilRolled(log, 3)); // two take what there is
        appender.start();
        Await.until("the appender waits", () -> isStalled(appender));
        long waits = waits(appender);
        Await.until(
                "it has looked often, so it waits for a segment, and not for zeros",
                () -> waits(appender) >= waits + 20 && isStalled(appender));
        gate.arrive();
        appender.join();

        // Once there are segments again, the appender may come up to the filler a second time before the third roll.
        long stalls = log.statistics().stalls();
        assertThat(stalls).isPositive();
        Await.until("a segment more is ahead", () -> segmentsAhead() >= 3);
        assertThat(segmentsAhead()).isLessThanOrEqualTo(2 + stalls);
    }

    private long segmentsAhead() {
        return log.statistics().segmentsFilled() - log.statistics().rolls();
    }

    private static boolean isStalled(Thread appender) {
        return Arrays.stream(appender.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("stall"));
    }

    /** So often the thread has slept. */
    private static long waits(Thread appender) {
        return ManagementFactory.getThreadMXBean()
                .getThreadInfo(appender.getId())
                .getWaitedCount();
    }

    @Test
    void shouldKeepTwoWithoutAStall() {
        open();
        for (int rolls = 1; rolls <= 5; rolls++) {
            Await.segmentsAhead(log, 2);
            Records.appendUntilRolled(log, 1);
        }
        Await.segmentsAhead(log, 2);
        assertThat(log.statistics().stalls()).isZero();
    }

    /** The kernel would stop the thread that appends once too much waits for the device. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldGoNoFurtherThanTheDeviceAllows(WriterKind kind) throws InterruptedException {
        log = Log.open(kind.config().maxUnsyncedBytes(MAX_UNSYNCED).build(), storage);
        holdTheDevice();

        AtomicLong most = new AtomicLong();
        Thread appender = new Thread(() -> {
            for (long goal = log.statistics().rolls() + 20; log.statistics().rolls() < goal; ) {
                Records.append(log);
                most.accumulateAndGet(unsynced(), Math::max);
            }
        });
        appender.start();
        Await.until(
                "the appender waits, and not for a segment at the beginning",
                () -> isStalled(appender) && unsynced() > MAX_UNSYNCED / 2);
        gate.arrive();
        appender.join();

        assertThat(log.statistics().stalls()).isPositive();
        assertThat(most.get()).isBetween(MAX_UNSYNCED / 2, MAX_UNSYNCED);
    }

    private void holdTheDevice() {
        storage.hook((number, what) -> {
            boolean syncs = what.startsWith("sync ") || what.startsWith("force ");
            if (syncs && Thread.currentThread().getName().startsWith("sync ")) {
                gate.awaitAdvance(0);
            }
        });
    }

    /** Of what was appended to a new log, which begins behind its first segment's header. */
    private long unsynced() {
        long synced = Math.max(log.positions().synced(), SegmentHeader.LENGTH); // first: it grows
        return log.positions().published() - synced;
    }

    /** A record as long as a segment allows fits beside what waits, wherever it comes. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldHaveRoomForTheLongestRecords(WriterKind kind) {
        log = Log.open(kind.config().maxUnsyncedBytes(MAX_UNSYNCED).build(), storage);
        byte[] longest = new byte[Frame.maxPayload(WriterKind.SEGMENT_LENGTH)];
        for (int i = 0; i < 20; i++) {
            Records.append(log);
            log.append(longest, 0, longest.length);
        }
        assertThat(log.statistics().rolls()).isGreaterThanOrEqualTo(20);
    }

    /** The log's last segment is of an earlier life, and longer than what may wait for the device. */
    private void openInALongSegment(LogConfig.Builder config) {
        try (Log first = Log.open(config.segmentLength(8 * (int) MAX_UNSYNCED).build(), storage)) {
            Records.append(first);
        }
        config.segmentLength(WriterKind.SEGMENT_LENGTH).maxUnsyncedBytes(MAX_UNSYNCED);
        log = Log.open(config.build(), storage);
    }

    private static void assertGoesOn(Runnable appends) {
        Thread appender = new Thread(appends);
        appender.setDaemon(true);
        appender.start();
        Await.until("all is appended", () -> !appender.isAlive());
    }

    /** Nothing of it is sealed before the bound is reached. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldGoOnInASegmentThatIsLongerThanWhatMayWait(WriterKind kind) throws Exception {
        openInALongSegment(kind.config());
        assertGoesOn(() -> Records.appendUntilRolled(log, 2));
        assertThat(log.statistics().rolls()).isEqualTo(2);
    }

    /** The buffer is longer than what may wait for the device, which gets it all the same. */
    @Test
    void shouldGoOnInSuchASegmentWithALongBuffer() throws Exception {
        openInALongSegment(WriterKind.FILE_RW.config().writeBufferLength(4 * (int) MAX_UNSYNCED));
        assertGoesOn(() -> Records.appendUntilRolled(log, 2));
        assertThat(log.statistics().rolls()).isEqualTo(2);
    }

    /** There would be room for it, but never space. One that is no longer than a quarter of what may wait gets both. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldRefuseThereARecordThatWouldWaitForEver(WriterKind kind) throws Exception {
        openInALongSegment(kind.config());
        byte[] longer = new byte[2 * (int) MAX_UNSYNCED];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.append(longer, 0, longer.length))
                .withMessageContaining("too long");
        log.handOver();
        int quarter = (int) MAX_UNSYNCED / LogConfig.MIN_UNSYNCED_SEGMENTS - Frame.HEADER_LENGTH;
        assertGoesOn(() -> {
            for (int i = 0; i < 20; i++) {
                log.append(longer, 0, quarter);
            }
        });
        assertThat(log.lastSequence()).isEqualTo(21);
    }

    /** What is left of it gets no record, and need not wait for the device: nobody would move what it waits for. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED", "FILE_RW"})
    void shouldEndSuchASegmentEarly(WriterKind kind) throws Exception {
        openInALongSegment(kind.config());
        assertGoesOn(() -> {
            log.roll();
            Records.append(log);
            log.commit(Durability.SYNCED);
        });
        assertThat(log.statistics().rolls()).isEqualTo(1);
        assertThat(Records.readAll(log)).isEqualTo(2);
    }

    /** More than may wait for the device is left by a log that allowed it. */
    @Test
    void shouldGoOnBehindALogThatWasKilled() {
        LogConfig.Builder config = WriterKind.MAPPED.config();
        log = Log.open(config.build(), storage);
        holdTheDevice();
        Records.appendUntilRolled(log, 20);
        assertThat(unsynced()).isGreaterThan(2 * MAX_UNSYNCED);
        gate.forceTermination();
        CrashableStorage killed = DeadLog.kill(log, storage);
        try (Log next = Log.open(config.maxUnsyncedBytes(MAX_UNSYNCED).build(), killed)) {
            Records.appendUntilRolled(next, 20);
            assertThat(Records.readAll(next)).isEqualTo(next.lastSequence());
        }
    }
}
