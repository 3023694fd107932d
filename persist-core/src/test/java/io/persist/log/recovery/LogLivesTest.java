package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogFixture;
import io.persist.log.engine.WriterKind;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a log is when it is opened, for the first time and in every life after that. */
@ParameterizedClass
@EnumSource(WriterKind.class)
class LogLivesTest extends LogFixture {

    private void kill() {
        storage = DeadLog.kill(log, storage);
    }

    @Test
    void shouldStartWithNothing() {
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.NEW);
        assertThat(log.position()).isEqualTo(SegmentHeader.LENGTH);
        assertThat(log.lastSequence()).isZero();
        assertThat(log.lastPosition()).isZero();
        assertThat(log.committedPosition()).isEqualTo(log.position());
        assertThat(log.flushedPosition()).isEqualTo(log.position());
        assertThat(Records.readAll(log)).isZero();
    }

    @Test
    void shouldFillTheInitialLengthBeforeItIsOpen() {
        LogConfig config = kind.config()
                .initialLength(10 * 4096)
                .prefill(Prefill.BEFORE_OPEN)
                .build();
        log = Log.open(config, storage);
        assertThat(storage.list()).hasSizeGreaterThanOrEqualTo(12); // ten segments, control, lock
        Records.appendUntilRolled(log, 9);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
    }

    @Test
    void shouldDescribeARecoveryInOneLine() {
        open();
        assertThat(log.recovery().describe())
                .startsWith("new log: row A (the log ends here), positions 0 to 64, last sequence 0,")
                .doesNotContain("\n");
    }

    @Test
    void shouldGoOnWithTheNextNumberInEachLife() {
        for (int life = 0; life < 10; life++) {
            open();
            assertThat(log.recovery().start()).isEqualTo(life == 0 ? Left.NEW : Left.CLOSED);
            assertThat(log.recovery().kept().lastSequence()).isEqualTo(life * 37L);
            assertThat(log.lastSequence()).isEqualTo(life * 37L);
            Records.append(log, 37);
            log.close();
        }
        open();
        assertThat(Records.readAll(log)).isEqualTo(370);
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldGoOnInAnotherModeAndWithAnotherSegmentLength(WriterKind other) {
        int[] lengths = {4096, 16384, 8192, 4096, 65536};
        for (int life = 0; life < 10; life++) {
            WriterKind now = life % 2 == 0 ? kind : other;
            LogConfig config =
                    now.config().segmentLength(lengths[life % lengths.length]).build();
            try (Log next = Log.open(config, storage)) {
                assertThat(next.lastSequence()).isEqualTo(life * 60L);
                Records.append(next, 60);
                next.flush();
                assertThat(Records.readAll(next)).isEqualTo((life + 1) * 60L);
            }
        }
    }

    @Test
    void shouldGiveBackWhatWasPreparedIfTheSegmentLengthChanges() {
        String[] prepared = {LogFileName.segment(2 * 4096), LogFileName.segment(8 * 4096)
        }; // where none of 8 KiB begins
        log = Log.open(
                kind.config()
                        .initialLength(10 * 4096)
                        .prefill(Prefill.BEFORE_OPEN)
                        .build(),
                storage);
        Records.append(log, 3);
        log.close();
        open();
        log.close();
        assertThat(storage.list()).contains(prepared);
        log = Log.open(kind.config().segmentLength(8192).build(), storage);
        assertThat(storage.list()).doesNotContain(prepared);
        assertThat(log.recovery().cut().bytes()).isZero();
        log.close();
        open();
        assertThat(Records.readAll(log)).isEqualTo(3);
    }

    @Test
    void shouldReopenALogInWhichNothingWasAppended() {
        open();
        log.close();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.CLOSED);
        assertThat(log.recovery().reason().row()).isEqualTo("A");
        kill();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.KILLED);
        assertThat(log.lastSequence()).isZero();
        Records.append(log, 5);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(5);
    }

    /** A record that is too long for the empty, short segment of an earlier life leaves only a seal in it. */
    @Test
    void shouldKnowTheLastRecordBeforeASegmentThatHasNone() {
        open();
        int full = Frame.maxPayload(WriterKind.SEGMENT_LENGTH);
        log.append(Records.of(1, full), 0, full);
        log.append(Records.of(2, full), 0, full);
        log.claim(1).abort();
        long last = log.lastPosition();
        log.close();
        LogConfig longer = kind.config().segmentLength(16384).build();
        log = Log.open(longer, storage);
        log.claim(2 * full).abort();
        long end = log.position();
        log.close();

        log = Log.open(longer, storage);
        assertThat(log.position()).isEqualTo(end);
        assertThat(log.lastSequence()).isEqualTo(2);
        assertThat(log.lastPosition()).isEqualTo(last);
        kill();
        log = Log.open(longer, storage);
        assertThat(log.lastPosition()).isEqualTo(last);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        assertThat(plan.retired()).extracting(RetentionPlan.Item::basePosition).containsExactly(0L);
    }

    @Test
    void shouldFindNothingToDoInASecondRecovery() {
        open();
        Records.append(log, 100);
        log.flush();
        kill();
        open();
        long tail = log.position();
        kill();
        open();
        assertThat(log.recovery().cut().bytes()).isZero();
        assertThat(log.recovery().cut().setAside()).isEmpty();
        assertThat(log.recovery().kept().lastSequence()).isEqualTo(100);
        assertThat(log.position()).isEqualTo(tail);
    }

    @Test
    void shouldReadOnlyWhatIsNotSyncedOfALogThatWasKilled() {
        LogConfig config = kind.config().segmentLength(8 << 20).build();
        log = Log.open(config, storage);
        byte[] record = new byte[1000];
        for (int i = 0; i < 6000; i++) {
            log.append(record, 0, record.length);
            if (i == 5500) {
                log.sync();
            }
        }
        log.commit(Durability.FLUSHED);
        kill();
        log = Log.open(config, storage);
        assertThat(log.lastSequence()).isEqualTo(6000);
        assertThat(log.recovery().checked().records()).isBetween(1L, 520L);
    }
}
