package io.persist.tool.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.ToolLog;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.SkipAndLimit;
import io.persist.tool.text.PayloadStyle;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A segment of another log, whose records are longer, lies in the middle of a log under the name of its own one. */
class SkipForeignSegmentTest {

    private static final long MAX = Long.MAX_VALUE;
    private static final long FOREIGN = 8192;

    private final CrashableStorage storage = new CrashableStorage();
    private List<Long> positions = List.of();

    @BeforeEach
    void mixUp() {
        positions = ToolLog.closed(storage, 500);
        CrashableStorage other = new CrashableStorage();
        try (Log log = ToolLog.open(other)) {
            for (int i = 0; i < 100; i++) {
                ToolLog.append(log, "foreign".repeat(30));
            }
        }
        storage.replace(LogFileName.segment(FOREIGN), other.content(LogFileName.segment(FOREIGN)));
    }

    /** The time is for what never ends only. */
    private Run dump(RecordRange range) {
        RecordPrinter printer = RecordPrinter.json(PayloadStyle.TEXT);
        DumpTool dump = new DumpTool(range, SkipAndLimit.ALL, printer, DumpTool.Damage.SKIP);
        return assertTimeoutPreemptively(Duration.ofMinutes(1), () -> ToolLog.run(storage, dump));
    }

    @Test
    void shouldPrintTheOwnRecordsBeforeAndBehindIt() {
        Run run = dump(RecordRange.ALL);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        List<Long> own = DumpToolTest.numbers(1, 500).stream()
                .filter(number ->
                        positions.get((int) (number - 1)) / ToolLog.SEGMENT_LENGTH != FOREIGN / ToolLog.SEGMENT_LENGTH)
                .toList();
        assertThat(ToolLog.sequences(run.out())).isEqualTo(own);
        assertThat(run.out()).doesNotContain("foreign");
        long behind = FOREIGN + ToolLog.SEGMENT_LENGTH + SegmentHeader.LENGTH;
        assertThat(run.err())
                .isEqualTo("persist: memory: from position " + (FOREIGN + SegmentHeader.LENGTH) + " to " + behind
                        + ", where record " + (positions.indexOf(behind) + 1)
                        + " begins, is left out: it is damaged\n");
    }

    /** Then the reader takes that for its log, and the own records for foreign ones. */
    @Test
    void shouldEndIfItBeginsThere() {
        Run run = dump(new RecordRange(FOREIGN + SegmentHeader.LENGTH, MAX, 1, MAX, MAX));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
    }
}
