package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.error.QueueFullException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Allocation;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A producer that asks before each append never finds the queue full. */
class DetachedWouldWaitTest {

    private static final byte[] RECORD = new byte[500];
    private static final int SEGMENT_LENGTH = 64 << 10;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private DetachedLog log;

    private void open(DetachedConfig.Builder config) {
        LogConfig logConfig = LogConfig.builder(Path.of("memory"))
                .segmentLength(SEGMENT_LENGTH)
                .build();
        log = DetachedLog.over(
                Log.open(logConfig, storage), config.failWhenFull().build());
    }

    /** One whose writer thread is in a sync. */
    private void openHeld(DetachedConfig.Builder config) {
        open(config);
        append();
        storage.hook(syncs);
        syncs.hold();
        log.reached(log.acceptedPosition(), Durability.SYNCED);
        syncs.awaitHeld();
    }

    @AfterEach
    void close() {
        syncs.releaseAll();
        storage.hook((number, what) -> {});
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    private void append() {
        log.append(RECORD, 0, RECORD.length);
    }

    private boolean wouldWait() {
        return log.wouldWait(RECORD.length);
    }

    private int appendUntilItWouldWait() {
        int count = 0;
        while (!wouldWait()) {
            append();
            count++;
        }
        return count;
    }

    private void shouldGoOnOnceTheWriterThreadDoes(int expected) {
        assertThat(appendUntilItWouldWait()).isEqualTo(expected);
        assertThatExceptionOfType(QueueFullException.class).isThrownBy(this::append);
        long committed = log.commit(Durability.BUFFERED); // asks for no room
        assertThat(committed).isEqualTo(log.acceptedPosition());
        syncs.releaseAll();
        Await.until("an append would not wait", () -> !wouldWait());
        append();
    }

    @Test
    void shouldSayThatNoEntryIsFree() {
        openHeld(DetachedConfig.builder().queueDepth(8));
        shouldGoOnOnceTheWriterThreadDoes(8);
    }

    @Test
    void shouldSayThatTheQueueHasItsBytes() {
        openHeld(DetachedConfig.builder().queueDepth(1024).queueBytes(DetachedConfig.MIN_QUEUE_BYTES));
        shouldGoOnOnceTheWriterThreadDoes(8); // of 528 bytes each
    }

    @Test
    void shouldNeverFindItFullInALoopThatAsks() {
        int records = 20_000;
        open(DetachedConfig.builder().queueDepth(16));
        for (int i = 0; i < records; i++) {
            Await.until("an append would not wait", () -> !wouldWait());
            append();
        }
        assertThat(log.statistics().queueFull()).isZero();
        log.commit(Durability.FLUSHED);
        try (Tailer tailer = log.tailer()) {
            tailer.toEnd();
            assertThat(tailer.sequence()).isEqualTo(records);
        }
    }

    @Test
    void shouldNotAllocateToAsk() {
        openHeld(DetachedConfig.builder().queueDepth(8));
        Allocation.checkNone(20_000, 20_000, this::wouldWait);
        appendUntilItWouldWait();
        Allocation.checkNone(20_000, 20_000, this::wouldWait);
        assertThat(log.statistics().queueFull()).as("counted").isZero();
    }

    @Test
    void shouldThrowWhatAnAppendThrows() {
        storage.capacityBytes(4 * SEGMENT_LENGTH);
        open(DetachedConfig.builder().queueDepth(8));
        assertThatIllegalArgumentException().isThrownBy(() -> log.wouldWait(-1)).withMessage("length=-1, min=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.wouldWait(SEGMENT_LENGTH))
                .withMessageContaining("record is too long: length=" + SEGMENT_LENGTH);
        Await.until("the disk is full", () -> {
            try {
                if (!wouldWait()) {
                    append();
                }
                return false;
            } catch (LogFullException full) {
                return true;
            }
        });
        assertThatExceptionOfType(LogFullException.class)
                .isThrownBy(this::wouldWait)
                .withMessageContaining("accepted records wait in the queue");
        storage.capacityBytes(1L << 40);
        Await.until("there is space", () -> {
            try {
                return !wouldWait();
            } catch (LogFullException full) {
                return false;
            }
        });
        append();
        log.close();
        assertThatIllegalStateException().isThrownBy(this::wouldWait).withMessage("logger is closed");
    }

    @Test
    void shouldThrowTheFailureOfALogThatHasFailed() {
        open(DetachedConfig.builder());
        append();
        storage.hook((number, what) -> {
            if (what.startsWith("force")) {
                throw new IOException("bad block");
            }
        });
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::sync);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(this::wouldWait);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
    }
}
