package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.backup.Backup.Restored;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.salvage.LogSalvage;
import io.persist.tool.select.RecordRange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a log that was salvaged numbers jump where records were lost; it is restored up to a number all the same. */
class RestoreAtAGapTest {

    /** The commits are 1 to 10, 11 to 20 and so on; these records are lost. */
    private static final int FIRST_LOST = 31;

    private static final int LAST_LOST = 40;
    private static final int LAST = 100;

    private CrashableStorage log = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();
    private final Backup backup = Backup.directory(new CrashableStorage());

    @BeforeEach
    void salvageAndBackUp() {
        salvage(FIRST_LOST, LAST_LOST);
    }

    private void salvage(int firstLost, int lastLost) {
        CrashableStorage damaged = new CrashableStorage();
        List<Long> positions = new ArrayList<>();
        try (Log writer = ToolLog.open(damaged)) {
            for (int i = 1; i <= LAST; i++) {
                Records.append(writer);
                positions.add(writer.lastPosition());
                if (i % 10 == 0) {
                    writer.commit(Durability.BUFFERED);
                }
            }
        }
        for (int lost = firstLost; lost <= lastLost; lost++) {
            ToolLog.damage(damaged, positions.get(lost - 1));
        }
        LogSalvage salvage = new LogSalvage(damaged);
        salvage.copyTo(salvage.look(), log);
    }

    private static List<Long> numbers(CrashableStorage storage) {
        return ToolLog.sequences(
                ToolLog.run(storage, ToolLog.dump(RecordRange.ALL)).out());
    }

    private long positionOf(long sequence) {
        try (Tailer tailer = Tailer.open(log, TailerConfig.defaults())) {
            tailer.toSequence(sequence);
            assertThat(tailer.next()).isTrue();
            return tailer.position();
        }
    }

    /** By the number of the last record before it, of one that is lost, and by where the next one begins. */
    @Test
    void shouldEndBeforeTheFirstRecordThatIsThereBehindIt() {
        backup.take(log, log);
        long end = positionOf(LAST_LOST + 1);
        for (RestorePoint point : List.of(
                RestorePoint.afterSequence(FIRST_LOST - 1),
                RestorePoint.afterSequence(FIRST_LOST + 4),
                RestorePoint.afterSequence(LAST_LOST),
                RestorePoint.beforePosition(end))) {
            CrashableStorage cut = new CrashableStorage();
            Restored restored = backup.restore(cut, point);
            assertThat(restored.endPosition()).as("%s", point).isEqualTo(end);
            assertThat(restored.lastSequence()).isEqualTo(LAST_LOST);
            assertThat(numbers(cut))
                    .isEqualTo(LongStream.range(1, FIRST_LOST).boxed().toList());
            assertThat(ToolLog.run(cut, new VerifyTool(Output.TEXT, base -> {})).out())
                    .startsWith("memory: clean\n");
            try (Log writer = ToolLog.open(cut)) {
                assertThat(writer.recovery().start()).isEqualTo(Left.CLOSED);
                assertThat(writer.position()).isEqualTo(end);
                Records.append(writer);
                assertThat(writer.lastSequence()).isEqualTo(LAST_LOST + 1);
            }
        }
    }

    @Test
    void shouldEndAtOtherRecordsAsEver() {
        backup.take(log, log);
        assertThat(backup.restore(target, RestorePoint.afterSequence(20)).lastSequence())
                .isEqualTo(20);
        assertThat(numbers(target)).hasSize(20);
        CrashableStorage behind = new CrashableStorage();
        backup.restore(behind, RestorePoint.afterSequence(50));
        assertThat(numbers(behind)).hasSize(40).endsWith(50L);
    }

    /** The rest of the commit of which the first records are lost is none that begins there. */
    @Test
    void shouldNameTheNearestPlaceBeforeALostBeginningOfACommit() {
        CrashableStorage whole = new CrashableStorage();
        log = new CrashableStorage();
        salvage(FIRST_LOST, FIRST_LOST + 2);
        backup.take(log, log);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> backup.restore(whole, RestorePoint.afterSequence(FIRST_LOST - 1)))
                .withMessage(
                        "the log cannot end at toSequence=30: record 34 does not begin a commit, and commits are not"
                                + " ignored; the nearest place before that is toPosition=" + positionOf(21)
                                + ", behind record 20; dump shows where commits begin, Tailer.toFirst finds the first record"
                                + " of a time");
        assertThat(backup.restore(
                                whole,
                                RestorePoint.afterSequence(FIRST_LOST - 1).ignoringCommits())
                        .lastSequence())
                .isEqualTo(FIRST_LOST + 2);
        assertThat(numbers(whole)).hasSize(30);
    }
}
