package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.engine.LogFixture;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.monitor.LogStatistics;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a commit promises at each level, how far the log says that it has come, and what it counts on the way. */
@ParameterizedClass
@EnumSource(WriterKind.class)
class LogCommitTest extends LogFixture {

    private void kill() {
        storage = DeadLog.kill(log, storage);
    }

    private void cutPower() {
        storage = DeadLog.cutPower(log, storage);
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

    /** Also in the middle of a roll, in which listeners are told of the seal. */
    @Test
    void shouldTellListenersOfNothingBehindTheEnd() {
        open();
        Queue<Long> beyond = new ConcurrentLinkedQueue<>();
        PositionListener look = position -> {
            if (position > log.position()) {
                beyond.add(position);
            }
        };
        log.listen(Durability.FLUSHED, look);
        log.listen(Durability.SYNCED, look);
        Records.appendUntilRolled(log, 5);
        log.sync();
        assertThat(beyond).isEmpty();
    }

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
}
