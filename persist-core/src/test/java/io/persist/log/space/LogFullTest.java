package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogFullException;
import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(
        value = WriterKind.class,
        names = {"MAPPED", "FILE_RW", "FILE_RWD"})
class LogFullTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final int CONTROL = 4096;

    @Parameter
    WriterKind kind;

    private static LogFullException appendUntilFull(Log log, int recordsPerCommit) {
        while (true) {
            long committed = log.committedPosition();
            try {
                Records.append(log, recordsPerCommit);
                log.commit(Durability.SYNCED);
            } catch (LogFullException full) {
                assertThat(log.committedPosition()).isEqualTo(committed);
                return full;
            }
        }
    }

    @Test
    void shouldRefuseARecordBeforeAnythingIsLost() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
        try (Log log = Log.open(kind.config().build(), storage)) {
            LogFullException full = appendUntilFull(log, 1);
            assertThat(full)
                    .hasMessageContaining("log is full")
                    .hasMessageContaining("No space left")
                    .hasMessageContaining("free disk space or retire old segments, then append again")
                    .hasMessageNotContaining("\n");
            long last = log.lastSequence();
            assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> Records.append(log));
            assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> log.claim(200));
            assertThat(log.lastSequence()).isEqualTo(last);
            log.commit(Durability.SYNCED);
            log.flush();
            assertThat(Records.readAll(log)).isEqualTo(last);

            storage.capacityBytes(20 * LENGTH);
            Records.append(log, 100);
            log.commit(Durability.SYNCED);
            assertThat(Records.readAll(log)).isEqualTo(last + 100);
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldLetACommitInProgressBeFinishedInTheReserve() {
        for (int perCommit = 15; perCommit <= 25; perCommit++) {
            CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
            try (Log log = Log.open(kind.config().build(), storage)) {
                while (log.position() < 5 * LENGTH - 500) {
                    Records.append(log, 1);
                    log.commit(Durability.SYNCED);
                }
                Records.append(log, perCommit); // over the end of the last but one segment that there will be
                log.commit(Durability.SYNCED);
                assertThat(log.position()).isGreaterThan(5 * LENGTH);
                appendUntilFull(log, 1);
                assertThat(log.position() / LENGTH).isEqualTo(5);
                log.flush();
                assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
            }
        }
    }

    @Test
    void shouldNotBeginACommitInTheReserve() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
        try (Log log = Log.open(kind.config().build(), storage)) {
            appendUntilFull(log, 1);
            assertThat(log.position()).isBetween(5L * LENGTH, 6L * LENGTH - LENGTH / 2);
            assertThat(log.position()).isEqualTo(log.committedPosition());
        }
    }

    /** Behind the last commit there is no record, and so no commit has begun. */
    @Test
    void shouldNotBeginACommitInTheReserveBehindARoll() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(2 * LENGTH + CONTROL);
        try (Log log = Log.open(kind.config().build(), storage)) {
            Records.append(log);
            log.commit(Durability.SYNCED);
            long next = log.roll();
            byte[] intoTheReserve = new byte[LENGTH * 3 / 4];
            assertThatExceptionOfType(LogFullException.class)
                    .isThrownBy(() -> log.append(intoTheReserve, 0, intoTheReserve.length));
            assertThat(log.position()).isEqualTo(next);
            Records.append(log);
            assertThat(log.append(intoTheReserve, 0, intoTheReserve.length))
                    .as("of a commit that has begun")
                    .isGreaterThan(next + intoTheReserve.length);
        }
    }

    @Test
    void shouldBeFullInTheMiddleOfACommitThatIsLargerThanTheReserve() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
        try (Log log = Log.open(kind.config().build(), storage)) {
            appendUntilFull(log, 1000);
            long last = log.lastSequence();
            assertThat(last).isGreaterThan(100);
            log.commit(Durability.SYNCED);
            assertThat(Records.readAll(log)).isEqualTo(last);
        }
    }

    @Test
    void shouldAppendAgainOnceOldSegmentsAreRetired() {
        for (Retirement retirement : Retirement.values()) {
            CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
            try (Log log = Log.open(kind.config().build(), storage)) {
                for (int round = 0; round < 10; round++) {
                    appendUntilFull(log, 3);
                    long last = log.lastSequence();
                    log.retire(log.planRetention(RetentionRule.keepBytes(0)), retirement);
                    Records.append(log, 20);
                    log.commit(Durability.SYNCED);
                    assertThat(log.lastSequence()).isEqualTo(last + 20);
                }
                try (Tailer tailer = log.tailer()) {
                    assertThat(tailer.next()).isTrue();
                    assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
                }
            }
        }
    }

    @Test
    void shouldBeUsableAfterReopening() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(6 * LENGTH + CONTROL);
        long last;
        try (Log log = Log.open(kind.config().build(), storage)) {
            appendUntilFull(log, 5);
            last = log.lastSequence();
        }
        try (Log log = Log.open(kind.config().build(), storage)) {
            assertThat(log.lastSequence()).isEqualTo(last);
            assertThat(Records.readAll(log)).isEqualTo(last);
            appendUntilFull(log, 5);
            last = log.lastSequence();
        }
        storage = storage.crash(new Random(1), Loss.ALL_LOST);
        try (Log log = Log.open(kind.config().build(), storage)) {
            assertThat(Records.readAll(log)).isEqualTo(last);
            storage.capacityBytes(20 * LENGTH);
            Records.append(log, 100);
            log.sync();
            assertThat(Records.readAll(log)).isEqualTo(last + 100);
        }
    }

    @Test
    void shouldNotOpenALogForWhichThereIsNoSpace() {
        for (int capacity = 0; capacity <= 2 * LENGTH; capacity += 512) {
            CrashableStorage storage = new CrashableStorage().capacityBytes(capacity);
            try (Log log = Log.open(kind.config().build(), storage)) {
                assertThat(capacity).isGreaterThanOrEqualTo(LENGTH + CONTROL);
                Records.append(log, 1);
            } catch (PersistException full) {
                assertThat(capacity).isLessThan(LENGTH + CONTROL);
                assertThat(full).hasMessageContaining("No space left");
            }
            assertThat(storage.openHandles()).isZero();
            storage.capacityBytes(10 * LENGTH);
            try (Log log = Log.open(kind.config().build(), storage)) {
                Records.append(log, 1);
            }
        }
    }
}
