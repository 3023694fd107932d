package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.CompareTool;
import io.persist.tool.read.CompareTool.Commits;
import io.persist.tool.read.TailTool;
import io.persist.tool.read.WalkTool;
import io.persist.tool.repair.RepairTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.stats.CursorsTool;
import io.persist.tool.stats.StatsTool;
import io.persist.tool.text.PayloadStyle;
import java.io.BufferedReader;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The newest segment cannot be read: whoever shows a log shows what is before it, and says that this is not all. */
class DamagedEndTest {

    private static final int RECORDS = 600;

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage whole = new CrashableStorage();
    private String newest = "";
    private long last;

    @BeforeEach
    void damageTheNewestSegment() {
        List<Long> positions = ToolLog.closed(storage, RECORDS);
        ToolLog.closed(whole, RECORDS);
        Tailer.open(storage, "billing", TailerConfig.defaults()).close();
        long base = baseOf(positions.get(RECORDS - 1));
        last = positions.stream().filter(position -> position < base).count();
        newest = LogFileName.segment(base);
        ToolLog.flip(storage, base, SegmentHeader.SALT_OFFSET);
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private static long baseOf(long position) {
        return position / ToolLog.SEGMENT_LENGTH * ToolLog.SEGMENT_LENGTH;
    }

    private Run run(LogTool tool) {
        return ToolLog.run(storage, tool);
    }

    private static RecordPrinter json() {
        return RecordPrinter.json(PayloadStyle.NONE);
    }

    private Run assertDamageIsSaid(Run run) {
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).hasLineCount(1).contains("damaged at position ", "file " + newest);
        return run;
    }

    @Test
    void shouldShowTheLastRecordsBeforeIt() {
        for (int count : new int[] {0, 1, 3}) {
            Run run = assertDamageIsSaid(run(TailTool.last(count, json())));
            List<Long> shown = ToolLog.sequences(run.out());
            assertThat(shown).hasSize(count);
            assertThat(shown.isEmpty() ? last : shown.get(count - 1)).isEqualTo(last);
        }
        Run following = assertDamageIsSaid(run(TailTool.following(2, json(), times -> true)));
        assertThat(ToolLog.sequences(following.out())).containsExactly(last - 1, last);
    }

    /** The records between cannot be read, but the segment before has a number too. */
    @Test
    void shouldPassAnotherDamagedSegment() {
        long base = LogFileName.basePosition(newest).orElseThrow();
        ToolLog.flip(storage, base - ToolLog.SEGMENT_LENGTH, SegmentHeader.SALT_OFFSET);
        Run run = run(StatsTool.once(Output.JSON));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).doesNotContain("\"lastSequence\":0").doesNotContain("\"lastSequence\":" + last + ",");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void shouldAlsoBeSaidOfAFileThatWasCut(int length) {
        byte[] bytes = storage.content(newest);
        storage.replace(newest, Arrays.copyOf(bytes, length));
        Run run = assertDamageIsSaid(run(TailTool.last(1, json())));
        assertThat(ToolLog.sequences(run.out())).containsExactly(last);
    }

    @Test
    void shouldCountTheRecordsBeforeIt() {
        Run run = assertDamageIsSaid(run(StatsTool.once(Output.JSON)));
        assertThat(run.err()).contains("what is shown ends there, run verify");
        assertThat(run.out())
                .contains("\"logRecords\":" + last + ",\"firstSequence\":1,\"lastSequence\":" + last + ",")
                .contains("\"damage\":\"damaged at position ");
        assertDamageIsSaid(run(StatsTool.once(Output.TEXT)));
        assertThat(ToolLog.run(whole, StatsTool.once(Output.JSON)).out()).doesNotContain("damage");
    }

    @Test
    void shouldBeSaidOfAWalk() {
        BufferedReader commands = new BufferedReader(new StringReader("i\n"));
        Run run = run(new WalkTool(commands, WalkTool.Prompt.NONE, json()));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains(", last record " + last + "\n  damaged at position ")
                .contains(newest);
    }

    @Test
    void shouldBeTheDifferenceOfAComparison() {
        Run run = run(CompareTool.with(whole, RecordRange.ALL, Commits.COMPARE, Output.JSON));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("\"records\":" + last + ",")
                .contains("\"difference\":\"damage\"")
                .contains("\"lastSequence\":" + last + ",");
    }

    @Test
    void shouldBeSaidWhereCursorsAreShown() {
        assertThat(assertDamageIsSaid(run(new CursorsTool(Output.TEXT))).out()).contains("  billing ");
    }

    /** Of a store only the end is scanned, so nobody has counted what is before. */
    @Test
    void shouldSayWhatRepairKeepsOfAStore() {
        CrashableStorage store = new CrashableStorage();
        try (StoreLogger writer = ToolStore.open(store)) {
            ToolStore.overwrite(writer, 30);
        }
        List<Long> positions = ToolLog.run(store, ToolLog.dump(RecordRange.ALL))
                .out()
                .lines()
                .map(line -> Long.valueOf(line.replaceFirst(".*?\"position\":(\\d+).*", "$1")))
                .toList();
        long base = baseOf(positions.get(positions.size() - 1));
        long kept = positions.stream().filter(position -> position < base).count();
        ToolLog.flip(store, base, SegmentHeader.SALT_OFFSET);
        String keeps = "the records up to number " + kept + ", positions 0 to " + base;
        assertThat(ToolLog.run(store, new RepairTool(Effect.DRY_RUN)).out()).contains("would keep: " + keeps);
        assertThat(ToolLog.run(store, new RepairTool(Effect.APPLY)).out())
                .contains("kept: " + keeps)
                .contains("goes on at position " + base + " with sequence " + (kept + 1));
    }
}
