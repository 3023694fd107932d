package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.TailTool;
import io.persist.tool.salvage.LogSalvage;
import io.persist.tool.select.RecordRange;
import io.persist.tool.stats.StatsTool;
import io.persist.tool.text.PayloadStyle;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file of another log has taken the name of a segment: names are the same in every log, and here lengths are too. */
class ForeignSegmentTest {

    private static final String FOREIGN = LogFileName.segment(8192);

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage other = new CrashableStorage();

    @BeforeEach
    void putAForeignSegment() {
        ToolLog.closed(storage, 600);
        try (Log log = ToolLog.open(other)) {
            while (log.lastSequence() < 600) {
                ToolLog.append(
                        log,
                        "foreign"
                                + "-"
                                        .repeat(Long.toString(log.lastSequence() + 1)
                                                .length()));
            }
        }
        storage.replace(FOREIGN, other.content(FOREIGN));
    }

    private static void assertTold(Run run) {
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).doesNotContain("foreign");
        assertThat(run.err()).contains(FOREIGN).contains("another log");
    }

    @Test
    void shouldNotBeReadByDump() {
        assertTold(ToolLog.run(storage, ToolLog.dump(RecordRange.ALL)));
    }

    @Test
    void shouldNotBeReadByTail() {
        assertTold(ToolLog.run(storage, TailTool.last(500, RecordPrinter.json(PayloadStyle.PREVIEW))));
    }

    /** It lies before the log: retention has taken what that had there. */
    @Test
    void shouldNotStandForTheLogThatBeginsBehindIt() throws IOException {
        String logId = logId();
        storage.delete(LogFileName.segment(ToolLog.SEGMENT_LENGTH));
        storage.delete(FOREIGN);
        String first = LogFileName.segment(0);
        storage.replace(first, other.content(first));
        assertThat(logId()).isEqualTo(logId);
        LogSalvage.Report found = new LogSalvage(storage).look();
        assertThat(found.lastSequence()).isEqualTo(600);
        assertThat(found.missing()).anyMatch(missing -> missing.file().equals(first));
    }

    private String logId() {
        String stats = ToolLog.run(storage, StatsTool.once(Output.JSON)).out();
        int begin = stats.indexOf("\"logId\":\"");
        assertThat(begin).isPositive();
        return stats.substring(begin, begin + 27);
    }
}
