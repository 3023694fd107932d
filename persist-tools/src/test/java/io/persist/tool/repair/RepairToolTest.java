package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.NewerSegments;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.read.DumpToolTest;
import io.persist.tool.select.RecordRange;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RepairToolTest {

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private Run repair(Effect effect) {
        return ToolLog.run(storage, new RepairTool(effect));
    }

    /** Writes version 2 into the first segment's header, as a later release would. */
    static void makeNewer(CrashableStorage storage) {
        NewerSegments.header(storage, 0, header -> header.putInt(SegmentHeader.VERSION_OFFSET, 2));
    }

    @Test
    void shouldCutAtTheDamageAndKeepTheRestAside() {
        List<Long> positions = ToolLog.closed(storage, 300);
        for (int kept : List.of(250, 150, 20, 1)) {
            long position = positions.get(kept);
            ToolLog.damage(storage, position);
            byte[] damaged = storage.content(LogFileName.segment(position / 4096 * 4096));
            Run run = repair(Effect.APPLY);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out())
                    .contains("damaged at position " + position)
                    .contains("  kept: " + kept + " record")
                    .doesNotContain("begin at 1 again")
                    .contains(
                            "the log opens again and goes on at position " + position + " with sequence " + (kept + 1));
            String aside = LogFileName.segment(position / 4096 * 4096) + ".at-" + position + ".1.aside";
            assertThat(run.out()).contains("    " + aside + "\n    control.at-" + position + ".1.aside\n");
            byte[] copy = storage.content(aside);
            int end = (int) (4096 - position % 4096 + SegmentHeader.LENGTH);
            assertThat(damaged).endsWith(Arrays.copyOfRange(copy, SegmentHeader.LENGTH, end));
            assertThat(DumpToolTest.numbers(1, kept)).isEqualTo(sequences());
            try (Log log = ToolLog.open(storage)) {
                assertThat(log.position()).isEqualTo(position);
                assertThat(log.recovery().reason().row()).isEqualTo("A");
                ToolLog.append(log, 5);
            }
            assertThat(sequences()).isEqualTo(DumpToolTest.numbers(1, kept + 5));
        }
    }

    private List<Long> sequences() {
        Run run = ToolLog.run(storage, ToolLog.dump(RecordRange.ALL));
        assertThat(run.code()).as(run.err()).isZero();
        return ToolLog.sequences(run.out());
    }

    @Test
    void shouldSayHowManyRecordsBehindTheDamageAreStillWhole() {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(149));
        Run plan = repair(Effect.DRY_RUN);
        assertThat(plan.out())
                .contains("  would keep: 149 records, sequences 1 to 149")
                .contains("with 150 records, sequences 151 to 300")
                .contains("in place of that, salvage writes a new log that has what verifies of it too")
                .contains("dry run: nothing was changed");
        assertThat(repair(Effect.APPLY).out()).contains("with 150 records, sequences 151 to 300");
    }

    @Test
    void shouldChangeNothingInADryRun() {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(30));
        Map<String, Long> before = ToolLog.hashes(storage);
        int operations = storage.operations();
        assertThat(repair(Effect.DRY_RUN).code()).isZero();
        assertThat(ToolLog.hashes(storage)).isEqualTo(before);
        assertThat(storage.operations()).as("changes and mappings").isGreaterThan(operations);
    }

    @Test
    void shouldRepairADamagedHeaderAndAMissingSegment() throws Exception {
        ToolLog.closed(storage, 300);
        ToolLog.flip(storage, 8192, 20);
        assertThat(repair(Effect.APPLY).out())
                .contains("damaged at position 8192")
                .contains("goes on at position");
        long kept = sequences().size();
        storage.delete(LogFileName.segment(4096));
        assertThat(repair(Effect.DRY_RUN).code()).isZero();
        ToolLog.open(storage).close();
        assertThat(sequences().size()).isBetween(1, (int) kept);
    }

    @Test
    void shouldSetAsideALogWhoseFirstHeaderIsDamaged() {
        ToolLog.closed(storage, 300);
        ToolLog.flip(storage, 0, 20);
        Run run = repair(Effect.APPLY);
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("kept: no whole records").contains("begins the log anew");
        assertThat(storage.list().stream().filter(name -> name.endsWith(".aside")))
                .hasSizeGreaterThan(2);
        ToolLog.closed(storage, 3);
        assertThat(sequences()).containsExactly(1L, 2L, 3L);
    }

    /** Only its checkpoints tell that it was a store, which does not open without the log. */
    @Test
    void shouldLeaveAStoreAloneOfWhichNoSegmentIsLeft() throws Exception {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.overwrite(store, 30);
            store.checkpoint();
        }
        for (String name : storage.list()) {
            if (LogFileName.basePosition(name).isPresent()) {
                storage.delete(name);
            }
        }
        Map<String, Long> before = ToolLog.hashes(storage);
        Run run = repair(Effect.APPLY);
        assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("not repaired, nothing was changed: ")
                .contains("no segment is left")
                .contains("restore a backup");
        assertThat(ToolLog.hashes(storage).keySet()).isEqualTo(before.keySet());
    }

    @Test
    void shouldSayThatNumbersBeginAnewIfNoneIsLeft() {
        long first;
        try (Log log = ToolLog.open(storage)) {
            List<Long> positions = ToolLog.append(log, 300);
            log.sync();
            log.retire(log.planRetention(RetentionRule.keepBytes(4096)), Retirement.DELETE);
            try (Tailer tailer = log.tailer(TailerConfig.defaults())) {
                assertThat(tailer.next()).isTrue();
                first = tailer.position();
            }
            assertThat(first).isGreaterThan(positions.get(0));
        }
        ToolLog.damage(storage, first);
        assertThat(repair(Effect.DRY_RUN).out()).contains("begin at 1 again: only salvage keeps them");
        assertThat(repair(Effect.APPLY).out())
                .contains("goes on at position " + first + " with sequence 1")
                .contains("begin at 1 again: only salvage keeps them");
    }

    /** Retention has taken what was before a file that is none of the log's: it is the first, and all is behind it. */
    @Test
    void shouldSayThatNumbersBeginAnewIfNoSegmentIsLeft() throws Exception {
        ToolLog.closed(storage, 300);
        storage.delete(LogFileName.segment(0));
        storage.replace(LogFileName.segment(2048), new byte[4096]);
        assertThat(repair(Effect.DRY_RUN).out()).contains("begin at 1 again: only salvage keeps them");
        assertThat(repair(Effect.APPLY).out())
                .contains("no segment is left: the next writer begins the log anew\n")
                .contains("begin at 1 again: only salvage keeps them");
        try (Log log = ToolLog.open(storage)) {
            assertThat(log.lastSequence()).isZero();
        }
    }

    @Test
    void shouldHaveNothingToRepairInALogThatOpens() {
        ToolLog.closed(storage, 30);
        Map<String, Long> before = ToolLog.hashes(storage);
        assertThat(repair(Effect.APPLY)).isEqualTo(new Run(0, "memory: nothing to repair: the log is clean\n", ""));
        assertThat(ToolLog.hashes(storage)).isEqualTo(before);
        assertThat(ToolLog.run(DumpToolTest.tornLog(), new RepairTool(Effect.APPLY))
                        .out())
                .contains("nothing to repair: torn tail: ")
                .contains("opening the log sets them aside");
    }

    @Test
    void shouldNotRepairUnderAWriter() {
        try (Log log = ToolLog.open(storage)) {
            List<Long> positions = ToolLog.append(log, 300);
            ToolLog.damage(storage, positions.get(30));
            Run run = repair(Effect.APPLY);
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err())
                    .startsWith("persist: log is open for writing elsewhere: directory=memory, pid="
                            + ProcessHandle.current().pid());
            assertThat(repair(Effect.DRY_RUN).out()).contains("it has to be closed there first");
        }
    }

    @Test
    void shouldRefuseANewerVersionAndForeignFiles() {
        ToolLog.closed(storage, 300);
        storage.replace(
                LogFileName.segment(4096),
                "Dear diary, ".repeat(500).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        Map<String, Long> before = ToolLog.hashes(storage);
        Run run = repair(Effect.APPLY);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("not a file of Persist: file=" + LogFileName.segment(4096));
        makeNewer(storage);
        before.put(LogFileName.segment(0), ToolLog.hashes(storage).get(LogFileName.segment(0)));
        assertThat(repair(Effect.APPLY).code()).isEqualTo(ExitCode.FAILURE);
        assertThat(ToolLog.hashes(storage)).isEqualTo(before);
    }

    @Test
    void shouldFinishARepairThatWasInterruptedAnywhere() {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(30));
        int first = storage.operations() + 1;
        for (int at = first; ; at++) {
            CrashableStorage copy = storage.afterKill();
            int stop = at;
            copy.hook((number, what) -> {
                if (number == stop - first + 1) {
                    throw new java.io.IOException("stop before " + what);
                }
            });
            Run run = ToolLog.run(copy, new RepairTool(Effect.APPLY));
            copy.hook((number, what) -> {});
            if (run.code() != ExitCode.OK) {
                assertThat(run.err()).contains("stop before").hasLineCount(1);
                ToolLog.run(copy, new RepairTool(Effect.APPLY));
            }
            try (Log log = ToolLog.open(copy)) {
                assertThat(log.lastSequence()).isEqualTo(30);
            }
            if (run.code() == ExitCode.OK) {
                assertThat(at - first).isGreaterThan(10);
                return;
            }
        }
    }
}
