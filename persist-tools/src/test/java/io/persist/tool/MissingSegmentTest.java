package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.backup.BackupOptions;
import io.persist.command.Run;
import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.LogFiles;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.copy.BackupTool;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.TailTool;
import io.persist.tool.repair.RepairTool;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.text.PayloadStyle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A segment in the middle of a log was deleted: whoever comes there names that file, and not the one before it. */
class MissingSegmentTest {

    private static final String MISSING = LogFileName.segment(8192);

    private final CrashableStorage storage = new CrashableStorage();

    @BeforeEach
    void deleteASegment() throws Exception {
        ToolLog.closed(storage, 600);
        storage.delete(MISSING);
    }

    private static String said(Run run) {
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        String said = run.out()
                        .lines()
                        .filter(line -> line.contains("damage"))
                        .findFirst()
                        .orElse("")
                + run.err();
        assertThat(said).contains(MISSING).contains("the segment is missing").doesNotContain(LogFileName.segment(4096));
        return said;
    }

    @Test
    void shouldBeNamedByVerify() {
        Run run = ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(said(run))
                .isEqualTo("memory: damaged at position 8192, file " + MISSING + ": the segment is missing");
        assertThat(ToolLog.run(storage, new VerifyTool(Output.JSON, base -> {})).out())
                .contains("\"file\":\"" + MISSING + "\"");
    }

    @Test
    void shouldBeNamedByRepair() {
        Run run = ToolLog.run(storage, new RepairTool(Effect.DRY_RUN));
        assertThat(run.out()).startsWith("memory: damaged at position 8192, file " + MISSING);
    }

    @Test
    void shouldBeNamedByDumpAndTail() {
        said(ToolLog.run(storage, ToolLog.dump(RecordRange.ALL)));
        said(ToolLog.run(storage, TailTool.last(500, RecordPrinter.json(PayloadStyle.PREVIEW))));
    }

    @Test
    void shouldBeNamedByBackup() {
        CrashableStorage backup = new CrashableStorage();
        said(ToolLog.run(
                storage,
                (log, out, err) -> BackupTool.take(
                        log, backup, Path.of("backup"), StorePlace.ONE, BackupOptions.DEFAULT, Output.TEXT, out)));
    }

    /** Opening does not look at what was synced long ago; the segment of the last record it needs. */
    @Test
    void shouldBeNamedByOpening() throws Exception {
        CrashableStorage other = new CrashableStorage();
        List<Long> positions = ToolLog.closed(other, 600);
        String last = LogFileName.segment(positions.get(599) / ToolLog.SEGMENT_LENGTH * ToolLog.SEGMENT_LENGTH);
        other.delete(last);
        assertThatThrownBy(() -> ToolLog.open(other))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("file=" + last)
                .hasMessageContaining("the segment is missing");
    }

    /** The files that were made ahead say nothing of them. */
    @Test
    void shouldBePutBackIfAllThatHadRecordsAreGone() throws Exception {
        for (long gone : LogFiles.basePositions(storage)) {
            storage.delete(LogFileName.segment(gone));
        }
        long ahead = 1 << 20;
        byte[] header = new SegmentHeader(ahead, ToolLog.SEGMENT_LENGTH, 1, 2, 3).encode();
        storage.replace(LogFileName.segment(ahead), Arrays.copyOf(header, ToolLog.SEGMENT_LENGTH));
        Run verify = ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(verify.out()).contains("what can be done: put the segments back, or restore a backup; ");
    }

    @Test
    void shouldNotBeTakenForALogThatIsNew() throws Exception {
        for (long base : LogFiles.basePositions(storage)) {
            storage.delete(LogFileName.segment(base));
        }
        Run verify = ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(verify.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(verify.err()).contains("no segment is left that has records").contains("put the segments back");
        Run repair = ToolLog.run(storage, new RepairTool(Effect.APPLY));
        assertThat(repair.out()).contains("no segment is left: the next writer begins the log anew");
        ToolLog.open(storage).close();
    }
}
