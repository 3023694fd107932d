package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.CompareTool;
import io.persist.tool.read.CompareTool.Commits;
import io.persist.tool.read.TailTool;
import io.persist.tool.read.WalkTool;
import io.persist.tool.read.WalkTool.Prompt;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.stats.StatsTool;
import io.persist.tool.text.PayloadStyle;
import java.io.BufferedReader;
import java.io.StringReader;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tools go over segments whose records compaction has taken away, and say so. */
class VacatedSegmentsTest {

    private static final RecordRange ALL = new RecordRange(0, Long.MAX_VALUE, 1, Long.MAX_VALUE, Long.MAX_VALUE);

    private final CrashableStorage storage = new CrashableStorage();

    /** The numbers that are left: the first, and those from {@code next} to {@code last}. */
    private long next;

    private long last;

    @BeforeEach
    void writeAndCompact() {
        ToolStore.compacted(storage);
        List<Long> left =
                ToolLog.sequences(ToolLog.run(storage, ToolLog.dump(ALL)).out());
        assertThat(left.get(0)).isEqualTo(1);
        next = left.get(1);
        last = left.get(left.size() - 1);
        assertThat(next).isGreaterThan(30);
        assertThat(left.subList(1, left.size()))
                .isEqualTo(LongStream.rangeClosed(next, last).boxed().toList());
        assertThat(SegmentFiles.vacated(storage)).isGreaterThan(5);
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private String gone() {
        return "persist: memory: " + (next - 2) + " records are gone, in 1 place: their segments are vacated\n";
    }

    @Test
    void shouldDumpAndTail() {
        Run dump = ToolLog.run(storage, ToolLog.dump(ALL));
        assertThat(dump.code()).isZero();
        assertThat(dump.err()).isEqualTo(gone());
        RecordRange end = new RecordRange(0, Long.MAX_VALUE, next, Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(ToolLog.run(storage, ToolLog.dump(end)).err()).isEmpty();
        for (long from = 2; from < next; from++) {
            RecordRange middle = new RecordRange(0, Long.MAX_VALUE, from, Long.MAX_VALUE, Long.MAX_VALUE);
            assertThat(ToolLog.sequences(
                            ToolLog.run(storage, ToolLog.dump(middle)).out()))
                    .startsWith(next)
                    .endsWith(last);
        }
        Run tail = ToolLog.run(storage, TailTool.last(1000, RecordPrinter.json(PayloadStyle.NONE)));
        assertThat(ToolLog.sequences(tail.out())).startsWith(1L, next).endsWith(last);
        assertThat(tail.err()).isEqualTo(gone());
    }

    /** Those behind the gap are fewer. */
    @Test
    void shouldTailAsManyRecordsAsAreAskedFor() {
        long behind = last - next + 1;
        for (long count = 0; count <= behind + 1; count++) {
            Run tail = ToolLog.run(storage, TailTool.last(count, RecordPrinter.json(PayloadStyle.NONE)));
            assertThat(ToolLog.sequences(tail.out())).as("-n " + count).hasSize((int) count);
            assertThat(tail.err()).isEqualTo(count > behind ? gone() : "");
        }
    }

    @Test
    void shouldCountWhatIsThere() {
        long records = last - next + 2;
        long vacated = SegmentFiles.vacated(storage);
        assertThat(ToolLog.run(storage, StatsTool.once(Output.TEXT)).out())
                .containsPattern("(?m)^  logRecords  +" + records + "  +from 1 to " + last + "$")
                .containsPattern("(?m)^  vacatedSegments  +" + vacated + "  ");
        assertThat(ToolLog.run(storage, StatsTool.once(Output.JSON)).out())
                .contains(",\"logRecords\":" + records + ",", ",\"vacatedSegments\":" + vacated + ",");
    }

    @Test
    void shouldSayItWhileFollowing() {
        Pause once = times -> false;
        Run tail = ToolLog.run(storage, TailTool.following(1000, RecordPrinter.json(PayloadStyle.NONE), once));
        assertThat(tail.code()).isZero();
        assertThat(tail.err()).isEqualTo(gone());
    }

    @Test
    void shouldWalk() {
        BufferedReader input = new BufferedReader(new StringReader("n 2\n#1\nn\n#2\n#" + next + "\nn\n"));
        Run walk = ToolLog.run(storage, new WalkTool(input, Prompt.NONE, RecordPrinter.json(PayloadStyle.NONE)));
        assertThat(walk.out().lines().toList())
                .hasSize(5)
                .satisfies(
                        lines -> assertThat(lines.get(1))
                                .isEqualTo("records 2 to " + (next - 1) + " are gone: their segments are vacated"),
                        lines -> assertThat(lines.get(2)).contains("\"sequence\":" + next + ","),
                        lines -> assertThat(lines.get(3)).contains("\"sequence\":1,"),
                        lines -> assertThat(lines.get(4)).contains("\"sequence\":" + next + ","));
    }

    @Test
    void shouldTellWhichRecordIsGoneAndWhichIsNotWritten() {
        StringBuilder commands = new StringBuilder();
        LongStream.range(2, next)
                .forEach(sequence -> commands.append('#').append(sequence).append('\n'));
        commands.append('#').append(last + 2).append('\n');
        BufferedReader input = new BufferedReader(new StringReader(commands.toString()));
        Run walk = ToolLog.run(storage, new WalkTool(input, Prompt.NONE, RecordPrinter.json(PayloadStyle.NONE)));
        assertThat(walk.err().lines().toList())
                .hasSize((int) next - 1)
                .satisfies(lines -> assertThat(lines.subList(0, lines.size() - 1))
                        .allSatisfy(line -> assertThat(line).contains("record is gone: sequence=")))
                .last()
                .asString()
                .contains("record is not written yet: ");
    }

    @Test
    void shouldCompare() {
        assertThat(ToolLog.run(storage, CompareTool.with(storage, ALL, Commits.COMPARE, Output.TEXT))
                        .out())
                .startsWith("the same: ")
                .contains(" vacated segments\n");
        CrashableStorage whole = new CrashableStorage();
        try (StoreLogger store = ToolStore.open(whole)) {
            ToolStore.put(store, "big", "b".repeat(3900));
            ToolStore.overwrite(store, 40);
        }
        long vacated = SegmentFiles.vacated(storage);
        Run run = ToolLog.run(storage, CompareTool.with(whole, ALL, Commits.COMPARE, Output.TEXT));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .startsWith("different: the numbers of the records differ\n  the same before: 1 record ")
                .contains(", last record " + last + ", " + vacated + " vacated segments\n")
                .contains(", last record 41\n");
        assertThat(ToolLog.run(storage, CompareTool.with(whole, ALL, Commits.COMPARE, Output.JSON))
                        .out())
                .contains("\"vacatedSegments\":" + vacated + ",", "\"vacatedSegments\":0,");
    }

    /** It is not taken for one that a writer has just retired. */
    @Test
    void shouldMissTheSegmentBehindThem() throws Exception {
        String missing = SegmentFiles.headers(storage)
                .filter(SegmentHeader::isVacated)
                .map(header -> LogFileName.segment(header.endPosition()))
                .reduce((first, second) -> second)
                .orElseThrow();
        storage.delete(missing);
        Run run = ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).startsWith("memory: damaged at position ").contains(missing, "the segment is missing");
    }

    @Test
    void shouldVerify() {
        long records = last - next + 2;
        Run run = ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("memory: clean\n  " + records + " records, sequences 1 to " + last + ", ")
                .contains("\n  " + SegmentFiles.vacated(storage) + " vacated segments: compaction has taken their ");
        assertThat(ToolLog.run(storage, new VerifyTool(Output.JSON, base -> {})).out())
                .contains("\"records\":" + records + ",\"firstSequence\":1,\"lastSequence\":" + last + ",")
                .contains(",\"vacatedSegments\":" + SegmentFiles.vacated(storage) + ",");
    }
}
