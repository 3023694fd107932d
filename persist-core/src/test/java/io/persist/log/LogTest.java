package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.format.SegmentHeader;
import io.persist.log.RecoveryReport.Left;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(WriterKind.class)
class LogTest {

    @Parameter
    WriterKind kind;

    private CrashableStorage storage = new CrashableStorage();
    private Log log;

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).isZero();
    }

    private void kill() {
        CrashableStorage after = storage.afterKill();
        DeadLog.end(log);
        storage = after;
    }

    private void cutPower() {
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        DeadLog.end(log);
        storage = after;
    }

    private Log open() {
        log = Log.open(kind.config().build(), storage);
        return log;
    }

    // ---- levels of durability

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
    void shouldCommitWithoutAnySystemCallAtLevelBuffered() {
        open();
        long start = log.position();
        long synced = log.syncedPosition();
        Records.append(log, 2);
        Thread appender = Thread.currentThread();
        storage.hook(
                (number, what) -> assertThat(Thread.currentThread()).as(what).isNotSameAs(appender));
        long end = log.commit(Durability.BUFFERED);
        storage.hook((number, what) -> {});
        assertThat(end).isEqualTo(log.position());
        assertThat(log.committedPosition()).isEqualTo(end);
        assertThat(log.syncedPosition()).isEqualTo(synced);
        assertThat(log.flushedPosition()).isEqualTo(kind.isMapped() ? end : start);
    }

    @Test
    void shouldSurviveTheProcessOnceFlushed() {
        open();
        Records.append(log, 30);
        long end = log.commit(Durability.FLUSHED);
        assertThat(log.flushedPosition()).isEqualTo(end);
        kill();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.KILLED);
        assertThat(log.lastSequence()).isEqualTo(30);
        assertThat(Records.readAll(log)).isEqualTo(30);
    }

    @Test
    void shouldSurviveAPowerCutOnceSynced() {
        open();
        Records.append(log, 100);
        long end = log.commit(Durability.SYNCED);
        assertThat(log.syncedPosition()).isEqualTo(end);
        Records.append(log, 7);
        cutPower();
        open();
        assertThat(log.lastSequence()).isBetween(100L, 107L);
        assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
    }

    @Test
    void shouldSyncOnClose() {
        open();
        Records.append(log, 50);
        log.close();
        cutPower();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.CLOSED);
        assertThat(log.recovery().scannedRecords()).isZero();
        assertThat(Records.readAll(log)).isEqualTo(50);
    }

    @Test
    void shouldReportEveryWriteThroughAsSynced() {
        open();
        for (int i = 0; i < 300; i++) {
            Records.append(log);
            if (i % 3 == 0) {
                log.flush();
                if (kind == WriterKind.FILE_RWD || kind == WriterKind.FILE_RWS) {
                    assertThat(log.syncedPosition()).as("record " + i).isEqualTo(log.position());
                }
            }
        }
        assertThat(log.statistics().rolls()).isGreaterThan(5);
    }

    @Test
    void shouldKeepThePositionsInOrder() {
        open();
        Random random = new Random(5);
        for (int i = 0; i < 500; i++) {
            Records.append(log);
            switch (random.nextInt(6)) {
                case 0 -> log.commit(Durability.values()[random.nextInt(3)]);
                case 1 -> log.flush();
                case 2 -> log.sync();
                default -> {}
            }
            assertThat(log.syncedPosition()).isLessThanOrEqualTo(log.flushedPosition());
            assertThat(log.flushedPosition()).isLessThanOrEqualTo(log.position());
            assertThat(log.committedPosition()).isLessThanOrEqualTo(log.position());
        }
        log.sync();
        assertThat(log.syncedPosition()).isEqualTo(log.position());
        assertThat(log.committedPosition()).isLessThan(log.position() + 1);
    }

    // ---- commits

    @Test
    void shouldShowTailersWhereACommitBegan() {
        open();
        int number = 0;
        List<Integer> starts = new ArrayList<>();
        for (int size : new int[] {3, 1, 50, 2, 40}) {
            starts.add(number + 1);
            Records.append(log, size);
            number += size;
            log.commit(Durability.BUFFERED);
            log.commit(Durability.BUFFERED); // an empty commit is no boundary
        }
        Records.append(log, 1);
        starts.add(number + 1);
        log.flush();
        List<Integer> seen = new ArrayList<>();
        try (Tailer tailer = log.tailer()) {
            while (tailer.next()) {
                if (tailer.startsCommit()) {
                    seen.add((int) tailer.sequence());
                }
            }
        }
        assertThat(seen).isEqualTo(starts);
    }

    @Test
    void shouldBeginACommitWithTheFirstRecordAfterReopening() {
        open();
        Records.append(log, 3);
        log.close();
        open();
        Records.append(log, 2);
        log.flush();
        try (Tailer tailer = log.tailer()) {
            tailer.toSequence(4);
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.startsCommit()).isTrue();
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.startsCommit()).isFalse();
        }
    }

    // ---- lives

    @Test
    void shouldGoOnWithTheNextNumberInEachLife() {
        for (int life = 0; life < 10; life++) {
            open();
            assertThat(log.recovery().start()).isEqualTo(life == 0 ? Left.NEW : Left.CLOSED);
            assertThat(log.recovery().lastSequence()).isEqualTo(life * 37L);
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
    void shouldReopenALogInWhichNothingWasAppended() {
        open();
        log.close();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.CLOSED);
        assertThat(log.recovery().row()).isEqualTo("A");
        kill();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.KILLED);
        assertThat(log.lastSequence()).isZero();
        Records.append(log, 5);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(5);
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
        assertThat(log.recovery().cutBytes()).isZero();
        assertThat(log.recovery().setAside()).isEmpty();
        assertThat(log.recovery().lastSequence()).isEqualTo(100);
        assertThat(log.position()).isEqualTo(tail);
    }

    @Test
    void shouldReadOnlyTheEndOfALogThatWasKilled() {
        LogConfig config = kind.config().segmentLength(8 << 20).build();
        log = Log.open(config, storage);
        byte[] record = new byte[1000];
        for (int i = 0; i < 6000; i++) {
            log.append(record, 0, record.length);
        }
        log.commit(Durability.FLUSHED);
        kill();
        log = Log.open(config, storage);
        assertThat(log.lastSequence()).isEqualTo(6000);
        assertThat(log.recovery().scannedRecords()).isLessThan(1100);
    }

    @Test
    void shouldDescribeARecoveryInOneLine() {
        open();
        assertThat(log.recovery().describe())
                .startsWith("new log: row A (the log ends here), positions 0 to 64, last sequence 0,")
                .doesNotContain("\n");
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

    // ---- statistics

    @Test
    void shouldCountRollsAndSyncs() {
        open();
        assertThat(log.statistics().rolls()).isZero();
        assertThat(log.statistics().syncs()).isZero();
        Records.append(log, 2);
        log.sync();
        long syncs = log.statistics().syncs();
        assertThat(syncs).isPositive();
        log.sync();
        log.commit(Durability.SYNCED);
        assertThat(log.statistics().syncs()).as("nothing new to sync").isEqualTo(syncs);
        Records.append(log, 1);
        log.sync();
        assertThat(log.statistics().syncs()).isEqualTo(syncs + 1);
        Records.appendUntilRolled(log, 4);
        assertThat(log.statistics().rolls()).isEqualTo(4);
    }

    @Test
    void shouldCountWaitsForTheFillerAsStalls() {
        open();
        Records.appendUntilRolled(log, 50);
        LogStatistics statistics = log.statistics();
        assertThat(statistics.stallNs() > 0).isEqualTo(statistics.stalls() > 0);
    }

    // ---- the end

    @Test
    void shouldRefuseEverythingOnceClosed() {
        open();
        Records.append(log, 3);
        log.commit(Durability.BUFFERED);
        Records.append(log, 1);
        Tailer tailer = log.tailer();
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        log.close();
        String message = "logger is closed";
        assertThatIllegalStateException().isThrownBy(() -> Records.append(log)).withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.append(ByteBuffer.allocate(1)))
                .withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> log.claim(1)).withMessage(message);
        for (Durability level : Durability.values()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> log.commit(level))
                    .withMessage(message);
        }
        assertThatIllegalStateException().isThrownBy(() -> log.flush()).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> log.sync()).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> log.tailer()).withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.await(1, Durability.BUFFERED, 0, TimeUnit.SECONDS))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.planRetention(RetentionRule.keepBytes(0)))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.retire(plan, Retirement.DELETE))
                .withMessage(message);
        assertThat(log.lastSequence()).isEqualTo(4);
        assertThat(log.statistics().rolls()).isZero();
        assertThat(Records.readAll(tailer)).isEqualTo(4);
        tailer.close();
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldCloseTwice() {
        open();
        Records.append(log, 1);
        log.close();
        Log second = Log.open(kind.config().build(), storage);
        assertThatCode(log::close).doesNotThrowAnyException();
        Records.append(second, 1);
        second.commit(Durability.SYNCED);
        second.close();
    }

    @Test
    void shouldLeaveNoThreadBehind() {
        open();
        Records.append(log, 100);
        log.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("persist-filler"));
    }
}
