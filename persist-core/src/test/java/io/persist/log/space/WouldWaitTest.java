package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.format.Frame;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.Allocation;
import io.persist.support.Await;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A loop that asks before each append never waits in one, and goes on without an append that does. */
@ParameterizedClass
@EnumSource(WriterKind.class)
class WouldWaitTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final int MAX_PAYLOAD = Frame.maxPayload(LENGTH);
    private static final long MAX_UNSYNCED = (long) LogConfig.MIN_UNSYNCED_SEGMENTS * LENGTH;
    private static final long SLOW_NS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final int RECORDS = 3000;

    private final CrashableStorage storage = new CrashableStorage();

    /** While it has a registered party beside the thread that waits for it, that thread goes no further. */
    private final Phaser gate = new Phaser(1);

    @Parameter
    WriterKind kind;

    private Log log;
    private long waits; // how often the answer was that an append would wait

    private void open() {
        open(kind.config());
    }

    private void open(LogConfig.Builder config) {
        log = Log.open(config.build(), storage);
    }

    @AfterEach
    void close() {
        gate.forceTermination();
        storage.hook((number, what) -> {});
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    /** Holds the thread of the log whose name begins like that, where it is about to do {@code verb}. */
    private void hold(String thread, String verb) {
        storage.hook((number, what) -> {
            if (what.startsWith(verb) && Thread.currentThread().getName().startsWith(thread)) {
                gate.awaitAdvance(0);
            }
        });
    }

    /** The longest record or a short one, so that some go into the next segment for lack of room. */
    private byte[] nextRecord() {
        long next = log.lastSequence() + 1;
        return next % 7 == 0 ? Records.of(next, MAX_PAYLOAD) : Records.of(next);
    }

    private void appendUntilItWouldWait() {
        for (byte[] record = nextRecord(); !log.wouldWait(record.length); record = nextRecord()) {
            log.append(record, 0, record.length);
            assertNeverWaited();
        }
    }

    private void assertNeverWaited() {
        assertThat(log.statistics().stalls()).isZero();
        assertThat(log.statistics().paces()).isZero();
    }

    /** Asks, and does nothing else. */
    private void awaitNoWait(int length) {
        Await.until("an append would not wait", () -> !log.wouldWait(length));
    }

    private void appendWithoutWaits(int count) {
        for (int i = 0; i < count; i++) {
            byte[] record = nextRecord();
            Await.until("an append would not wait", () -> {
                boolean would = log.wouldWait(record.length);
                waits += would ? 1 : 0;
                return !would;
            });
            log.append(record, 0, record.length);
            if (i % 50 == 0) {
                log.commit(Durability.BUFFERED);
            }
        }
        assertNeverWaited();
        log.flush();
        try (Tailer tailer = log.tailer()) {
            long read = 0;
            while (tailer.next()) {
                read++;
            }
            assertThat(read).isEqualTo(log.lastSequence());
        }
    }

    @Test
    void shouldNeverWaitInALoopThatAsks() {
        open();
        appendWithoutWaits(RECORDS);
        assertThat(log.statistics().rolls()).isGreaterThan(RECORDS / 7);
    }

    /** Negative control: without the question some of these appends wait. */
    @Test
    void shouldNeverWaitWhereSpaceIsMadeSlowly() {
        open();
        storage.hook((number, what) -> {
            if (Thread.currentThread().getName().startsWith("fill ")) {
                LockSupport.parkNanos(SLOW_NS);
            }
        });
        appendWithoutWaits(RECORDS / 4);
        assertThat(waits).isPositive();
        for (int i = 0; i < RECORDS / 4; i++) {
            byte[] record = nextRecord();
            log.append(record, 0, record.length);
        }
        assertThat(log.statistics().stalls() + log.statistics().paces()).isPositive();
    }

    @Test
    void shouldSayThatThereIsNoSegment() {
        open();
        Await.segmentsAhead(log, 2);
        hold("make ", "create");
        appendUntilItWouldWait();
        long end = log.position();
        for (int i = 0; i < 1000; i++) {
            assertThat(log.wouldWait(MAX_PAYLOAD)).isTrue();
        }
        assertThat(log.position()).as("a question changes nothing").isEqualTo(end);
        gate.arrive();
        awaitNoWait(MAX_PAYLOAD);
        appendUntilItWouldWait();
        assertThat(log.position()).isGreaterThan(end);
    }

    @Test
    void shouldSayThatSpaceIsNotFilled() {
        open();
        hold("fill ", "write");
        appendUntilItWouldWait();
        gate.arrive();
        awaitNoWait(MAX_PAYLOAD);
        appendWithoutWaits(100);
    }

    @Test
    void shouldSayThatTheDeviceIsBehind() {
        open(kind.config().maxUnsyncedBytes(MAX_UNSYNCED));
        storage.hook((number, what) -> {
            boolean syncs = what.startsWith("sync ") || what.startsWith("force ");
            if (syncs && Thread.currentThread().getName().startsWith("sync ")) {
                gate.awaitAdvance(0);
            }
        });
        if (kind == WriterKind.MAPPED || kind == WriterKind.FILE_RW) {
            appendUntilItWouldWait();
            assertThat(log.position()).isLessThan(2 * MAX_UNSYNCED);
        }
        gate.arrive();
        appendWithoutWaits(RECORDS / 4);
    }

    /** Nothing is synced that is in the write buffer: an append that waits writes it, and so does the question. */
    @Test
    void shouldGoOnInASegmentThatIsLongerThanWhatMayWait() {
        int length = 8 * (int) MAX_UNSYNCED;
        try (Log first = Log.open(kind.config().segmentLength(length).build(), storage)) {
            Records.append(first);
        }
        open(kind.config().maxUnsyncedBytes(MAX_UNSYNCED).writeBufferLength(length));
        appendWithoutWaits(RECORDS);
        assertThat(log.position()).isGreaterThan(length);
    }

    /** Nobody else asks for so much: without a request the answer would stay the same for ever. */
    @Test
    void shouldAskForTheSpace() {
        int length = (int) FillPolicy.LEAST_AHEAD + (4 << 20);
        open(kind.config().segmentLength(32 << 20));
        assertThat(log.wouldWait(length)).isTrue();
        awaitNoWait(length);
        log.append(new byte[length], 0, length);
        assertNeverWaited();
    }

    @Test
    void shouldThrowAsAnAppendWhereTheDiskIsFull() {
        storage.capacityBytes(6 * LENGTH + 4096);
        open();
        LogFullException full = fullByAsking();
        assertThat(full).hasMessageContaining("log is full").hasMessageContaining("No space left");
        assertThat(log.statistics().refusals()).isEqualTo(1);
        byte[] record = nextRecord();
        assertThat(catchThrowable(() -> log.append(record, 0, record.length))).isInstanceOf(LogFullException.class);
        assertThat(fullByAsking()).as("once more").isNotNull();

        log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.DELETE);
        awaitNoWait(record.length);
        long stalls = log.statistics().stalls();
        log.append(record, 0, record.length);
        storage.capacityBytes(1L << 40);
        awaitNoWait(MAX_PAYLOAD);
        assertThat(log.statistics().stalls()).isEqualTo(stalls);
    }

    private LogFullException fullByAsking() {
        LogFullException[] refusal = new LogFullException[1];
        Await.until("the disk is full", () -> {
            try {
                byte[] record = nextRecord();
                if (!log.wouldWait(record.length)) {
                    log.append(record, 0, record.length);
                    log.commit(Durability.BUFFERED); // no record may use the reserve
                }
                return false;
            } catch (LogFullException full) {
                refusal[0] = full;
                return true;
            }
        });
        return refusal[0];
    }

    @Test
    void shouldRefuseWhatAnAppendRefuses() throws InterruptedException {
        open();
        assertThatIllegalArgumentException().isThrownBy(() -> log.wouldWait(-1)).withMessage("length=-1, min=0");
        for (int length : new int[] {MAX_PAYLOAD + 1, Integer.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.wouldWait(length))
                    .withMessageContaining("record is too long: length=" + length);
        }
        Claim claim = log.claim(8);
        assertThatIllegalStateException().isThrownBy(() -> log.wouldWait(8)).withMessageContaining("claim");
        claim.abort();
        Throwable[] thrown = new Throwable[1];
        Thread other = new Thread(() -> thrown[0] = catchThrowable(() -> log.wouldWait(8)));
        other.start();
        other.join();
        assertThat(thrown[0]).isInstanceOf(IllegalStateException.class).hasMessageContaining("belongs to");
        log.close();
        assertThatIllegalStateException().isThrownBy(() -> log.wouldWait(8)).withMessageContaining("logger is closed");
    }

    @Test
    void shouldThrowTheFailureOfALogThatHasFailed() {
        open();
        Records.append(log);
        storage.hook((number, what) -> {
            if (!Thread.currentThread().getName().contains(", persist ")) {
                throw new IOException("bad block");
            }
        });
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::sync);
        storage.hook((number, what) -> {});
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> log.wouldWait(8))
                .withMessageContaining("bad block");
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
    }

    /** A loop asks all the time while an append would wait. */
    @Test
    void shouldNotAllocateToAsk() {
        open();
        Await.segmentsAhead(log, 2);
        Allocation.checkNone(20_000, 20_000, () -> assertWould(false));
        hold("make ", "create");
        appendUntilItWouldWait();
        Allocation.checkNone(20_000, 20_000, () -> assertWould(true));
    }

    private void assertWould(boolean wait) {
        if (log.wouldWait(wait ? MAX_PAYLOAD : 8) != wait) {
            throw new AssertionError("wait=" + !wait);
        }
    }
}
