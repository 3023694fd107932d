package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.store.StoreConfig;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.salvage.LogSalvage;
import io.persist.tool.salvage.LogSalvage.Report;
import io.persist.tool.select.RecordRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a writer does between the look at its log and the copy, and what goes wrong in the copy. */
class SalvageOfLiveLogTest {

    /** So long that one with a small record and a large one is not worth compacting when the small one is garbage. */
    private static final int LIVE_SEGMENT_LENGTH = 16 << 10;

    /** What follows the name of a file that a store makes, while the store itself is being made. */
    private static final String MADE_BY_THE_STORE = LogFileName.TEMPORARY_SUFFIX + LogFileName.TEMPORARY_SUFFIX;

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(log.openHandles() + target.openHandles()).isZero();
    }

    /** The place for the new log is asked for when it was decided to write one. */
    private Run salvage(Runnable meanwhile, OldValues oldValues) {
        FileAction<Storage> place = () -> {
            meanwhile.run();
            return target;
        };
        return ToolLog.run(log, new SalvageTool(place, Output.TEXT, oldValues));
    }

    private void shouldHaveWrittenNothing(Run run) {
        assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).isEmpty();
        assertThat(target.list()).isEmpty();
    }

    /** Compaction vacates the segment of the remove, and not that of the put before it. */
    @Test
    void shouldNotBringBackAKeyWhoseRemoveIsTakenAwayMeanwhile() {
        StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of("memory"))
                        .segmentLength(LIVE_SEGMENT_LENGTH)
                        .build())
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        try (StoreLogger store = StoreLogger.open(config, log, log)) {
            ToolStore.put(store, "secret", "value");
            ToolStore.put(store, "big", "b".repeat(LIVE_SEGMENT_LENGTH - 240));
            store.remove(ToolStore.bytes("secret"));
            assertThat(store.position()).isBetween((long) LIVE_SEGMENT_LENGTH, LIVE_SEGMENT_LENGTH + 300L);
            ToolStore.overwrite(store, 60);
            Run run = salvage(() -> store.compact(Long.MAX_VALUE), OldValues.REFUSE);
            shouldHaveWrittenNothing(run);
            assertThat(run.err()).contains("records were taken away while they were read; try again");
            Run again = salvage(() -> {}, OldValues.REFUSE);
            assertThat(again.out()).contains("nothing was written").contains("vacated segment");
            assertThat(target.list()).isEmpty();
        }
    }

    @Test
    void shouldWriteNoRecordsOfALogThatIsDamagedMeanwhile() {
        List<Long> positions = ToolLog.closed(log, 300);
        Run run = salvage(() -> ToolLog.damage(log, positions.get(150)), OldValues.REFUSE);
        shouldHaveWrittenNothing(run);
        assertThat(run.err()).contains("try again");
        assertThat(salvage(() -> {}, OldValues.REFUSE).code()).isEqualTo(ExitCode.LOSSES);
    }

    /** Without those that were retired since the look, and with those that were appended. */
    @Test
    void shouldCountWhatItWrote() {
        try (Log writer = ToolLog.open(log)) {
            ToolLog.append(writer, 300);
            Run run = salvage(
                    () -> {
                        writer.retire(writer.planRetention(RetentionRule.below(4096)), Retirement.DELETE);
                        ToolLog.append(writer, 20);
                    },
                    OldValues.REFUSE);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out())
                    .startsWith("memory: 219 records verify, sequences 102 to 320, ")
                    .endsWith("\n  nothing is missing\n");
        }
        List<Long> written = ToolLog.sequences(
                ToolLog.run(target, ToolLog.dump(RecordRange.ALL)).out());
        assertThat(written).hasSize(219).startsWith(102L).endsWith(320L);
    }

    /** The writer fills a segment and goes on in the next one when salvage has looked at the one and comes to it. */
    @Test
    void shouldNotMissWhatIsAppendedWhileItGoesFromSegmentToSegment() {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(4096)
                .initialLength(4 * 4096)
                .prefill(Prefill.BEFORE_OPEN)
                .build();
        try (Log writer = Log.open(config, log)) {
            ToolLog.append(writer, 50);
            int[] opened = {0, -1}; // so often, and when the writer goes on
            Storage racing = Interposed.after(Storage.class, log, (call, arguments, result) -> {
                if (call.equals("open") && LogFileName.segment(4096).equals(arguments[0]) && ++opened[0] == opened[1]) {
                    ToolLog.append(writer, 150);
                }
                return result;
            });
            assertThat(new LogSalvage(racing).look().records()).isEqualTo(50);
            opened[1] = 2 * opened[0]; // the last time of the second look
            Report looked = new LogSalvage(racing).look();
            assertThat(looked.missing()).isEmpty();
            assertThat(looked.records()).isEqualTo(200);
        }
    }

    /** Of a log of three segments and more: below {@code to} when {@code file} was opened, or if empty, at the list. */
    private Storage retiring(Log writer, String file, long to) {
        return Interposed.after(Storage.class, log, (call, arguments, result) -> {
            if (file.isEmpty() ? call.equals("list") : call.equals("open") && file.equals(arguments[0])) {
                writer.retire(writer.planRetention(RetentionRule.below(to)), Retirement.DELETE);
            }
            return result;
        });
    }

    @Test
    void shouldBeginWhereTheLogBeginsThoughTheWriterRetiresMeanwhile() {
        try (Log writer = ToolLog.open(log)) {
            ToolLog.append(writer, 400);
            assertThat(new LogSalvage(retiring(writer, "", 8192)).next(0))
                    .hasValueSatisfying(place -> assertThat(place.position()).isBetween(8192L, 8300L));
        }
    }

    @Test
    void shouldSayThatWhatItIsComingToWasRetired() {
        try (Log writer = ToolLog.open(log)) {
            ToolLog.append(writer, 400);
            LogSalvage salvage = new LogSalvage(retiring(writer, LogFileName.segment(4096), 12288));
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> salvage.next(8191))
                    .withMessage("records were taken away while they were read; try again, or stop the writer");
        }
    }

    @Test
    void shouldCountTheTransactionsThatItWrote() {
        try (StoreLogger store = ToolStore.open(log)) {
            ToolStore.put(store, "a", "value");
            Run run = salvage(() -> ToolStore.put(store, "b", "value"), OldValues.REFUSE);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).startsWith("memory: 2 records verify, sequences 1 to 2, ");
        }
        try (StoreLogger store = ToolStore.open(target)) {
            assertThat(store.size()).isEqualTo(2);
        }
    }

    /** A part of a store would open as if it were whole. What others have put there is not taken away. */
    @Test
    void shouldLeaveNoPartOfAStore() {
        try (StoreLogger store = ToolStore.open(log)) {
            ToolStore.overwrite(store, 20);
        }
        target.hook((number, what) -> {
            if (what.equals("create " + LogFileName.segment(8192) + MADE_BY_THE_STORE)) {
                target.replace("foreign", new byte[1]);
                throw new IOException("Input/output error");
            }
        });
        target.replace("lost+found", new byte[0]);
        Run run = salvage(() -> {}, OldValues.REFUSE);
        assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("cannot write the salvaged store to memory: ", "Input/output error");
        assertThat(target.list()).containsExactlyInAnyOrder("foreign", "lost+found");
    }

    @Test
    void shouldLeaveWhatHasComeMeanwhile() {
        try (StoreLogger store = ToolStore.open(log)) {
            ToolStore.overwrite(store, 2);
        }
        byte[] foreign = {1};
        target.hook((number, what) -> {
            if (what.startsWith("rename ")) {
                target.replace(LogFileName.CONTROL, foreign);
            }
        });
        Run run = salvage(() -> {}, OldValues.REFUSE);
        assertThat(run.err()).contains("something else has made this file meanwhile: file=control");
        assertThat(target.list()).containsExactly(LogFileName.CONTROL);
        assertThat(target.content(LogFileName.CONTROL)).isEqualTo(foreign);
    }
}
