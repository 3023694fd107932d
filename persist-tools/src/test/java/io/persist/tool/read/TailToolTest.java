package io.persist.tool.read;

import static io.persist.tool.ToolLog.sequences;
import static io.persist.tool.read.DumpToolTest.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Run;
import io.persist.file.Storage;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.support.CopiedFiles;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.Pause;
import io.persist.tool.ToolLog;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.repair.RepairTool;
import io.persist.tool.text.PayloadStyle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class TailToolTest {

    private static final RecordPrinter JSON = RecordPrinter.json(PayloadStyle.PREVIEW);

    private final CrashableStorage storage = new CrashableStorage();

    private List<Long> last(long count) {
        Run run = ToolLog.run(storage, TailTool.last(count, JSON));
        assertThat(run.code()).as(run.err()).isZero();
        return sequences(run.out());
    }

    /** Follows the log; in each pause the next step is done, and after the last one it ends. */
    private Run follow(long count, Runnable... steps) {
        Iterator<Runnable> left = List.of(steps).iterator();
        Pause pause = times -> {
            if (!left.hasNext()) {
                return false;
            }
            left.next().run();
            return true;
        };
        return ToolLog.run(storage, TailTool.following(count, JSON, pause));
    }

    @Test
    void shouldPrintTheLastRecords() {
        ToolLog.closed(storage, 300);
        assertThat(last(10)).isEqualTo(numbers(291, 300));
        assertThat(last(200)).isEqualTo(numbers(101, 300));
        assertThat(last(1000)).isEqualTo(numbers(1, 300));
        assertThat(last(0)).isEmpty();
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 2);
            assertThat(last(3)).isEqualTo(numbers(300, 302));
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldEndThoughAWriterIsFaster() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 200);
            Run run = ToolLog.runWhileWriting(log, storage, TailTool.last(20, JSON));
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(sequences(run.out())).isEqualTo(numbers(181, 200));
        }
    }

    @Test
    void shouldPrintNothingOfAnEmptyLog() {
        ToolLog.closed(storage, 0);
        assertThat(last(10)).isEmpty();
    }

    /** Also of what is appended behind its look at where the log ends. */
    @Test
    void shouldPrintNothingIfNothingIsWanted() {
        try (Log log = ToolLog.open(storage)) {
            Storage growing = Interposed.afterEach(storage, call -> ToolLog.append(log, 1));
            Run run = ToolLog.run(growing, TailTool.last(0, JSON));
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(sequences(run.out())).isEmpty();
            assertThat(log.lastPosition()).isPositive();
        }
    }

    @Test
    void shouldFollowTheLogWhileItIsClosedAndOpened() {
        ToolLog.closed(storage, 5);
        Log[] log = new Log[1];
        Run run = follow(
                2,
                () -> log[0] = ToolLog.open(storage),
                () -> ToolLog.append(log[0], 300),
                () -> {},
                () -> log[0].close(),
                () -> ToolLog.closed(storage, 3));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(sequences(run.out())).isEqualTo(numbers(4, 308));
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldSayThatRetentionHasOvertakenItAndGoOn() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 150);
            Run run = follow(
                    1000,
                    () -> {
                        ToolLog.append(log, 450);
                        log.retire(log.planRetention(RetentionRule.keepBytes(8192)), Retirement.RECYCLE);
                    },
                    () -> {});
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.err()).contains("retention has overtaken").hasLineCount(1);
            List<Long> seen = sequences(run.out());
            assertThat(seen).startsWith(1L).contains(150L).endsWith(600L).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldStopAtDamage() {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(297));
        Run run = follow(20);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(sequences(run.out())).endsWith(297L);
        assertThat(run.err()).contains("position").hasLineCount(1);
        assertThat(storage.openHandles()).isZero();
    }

    /** A segment's first record is where the search for the others begins. */
    @Test
    void shouldPrintTheLastRecordsBehindASegmentThatBeginsWithDamage() {
        List<Long> positions = ToolLog.closed(storage, 600);
        long lastBase = positions.get(599) / ToolLog.SEGMENT_LENGTH * ToolLog.SEGMENT_LENGTH;
        for (int i = 1; positions.get(i) < lastBase; i++) {
            if (positions.get(i) / ToolLog.SEGMENT_LENGTH > positions.get(i - 1) / ToolLog.SEGMENT_LENGTH) {
                ToolLog.damage(storage, positions.get(i));
                assertThat(last(5)).as("damage at record %d", i + 1).isEqualTo(numbers(596, 600));
                ToolLog.damage(storage, positions.get(i)); // undoes it
            }
        }
    }

    /** What it has printed is not of the log that is there now; and the two may have a record at the same place. */
    @Test
    void shouldNotGoOnInALogThatABackupHasReplaced() {
        ToolLog.closed(storage, 40);
        CopiedFiles backup = CopiedFiles.of(storage);
        ToolLog.closed(storage, 20);
        assertEndsAt60(backup::restore, "corrupt log: the files of the log were replaced, ");
    }

    @Test
    void shouldNotGoOnBehindTheCutOfARepair() {
        List<Long> positions = ToolLog.closed(storage, 60);
        Runnable repair = () -> {
            ToolLog.damage(storage, positions.get(39));
            assertThat(ToolLog.run(storage, new RepairTool(Effect.APPLY)).code())
                    .isZero();
        };
        assertEndsAt60(repair, "corrupt log: a repair has cut the log before this tailer, ");
    }

    /** It follows a log of 60 records until {@code change}, behind which others are appended. */
    private void assertEndsAt60(Runnable change, String error) {
        List<Runnable> steps = new ArrayList<>(List.of(change, () -> ToolLog.closed(storage, 80)));
        steps.addAll(Collections.nCopies(1000, () -> LockSupport.parkNanos(1_000_000)));
        Run run = follow(2, steps.toArray(Runnable[]::new));
        assertThat(sequences(run.out())).isEqualTo(numbers(59, 60));
        assertThat(run.err()).contains(error);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void shouldWaitLongerAndLongerForTheNextRecord() {
        Pause pause = Pause.backingOff();
        assertThat(pause.await(1)).isTrue();
        Thread.currentThread().interrupt();
        assertThat(pause.await(100)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
