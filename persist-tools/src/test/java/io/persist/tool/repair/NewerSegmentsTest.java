package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.support.NewerSegments;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.TailTool;
import io.persist.tool.text.PayloadStyle;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A record is damaged, and behind it are segments of a later version, with frames that a search does not take for such;
 * nothing else tells that there was more. No tool says that the log ends there.
 */
class NewerSegmentsTest {

    private final CrashableStorage storage = new CrashableStorage();

    @BeforeEach
    void write() throws Exception {
        List<Long> positions = ToolLog.closed(storage, 600);
        NewerSegments.make(storage, 2L * ToolLog.SEGMENT_LENGTH);
        ToolLog.damage(storage, positions.get(30));
        storage.delete(LogFileName.CONTROL);
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private void assertRefused(LogTool tool) {
        Map<String, Long> before = ToolLog.hashes(storage);
        Run run = ToolLog.run(storage, tool);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("open it with " + NewerSegments.VERSION.orLater());
        assertThat(ToolLog.hashes(storage)).isEqualTo(before);
    }

    @Test
    void shouldBeRefusedByVerify() {
        assertRefused(new VerifyTool(Output.TEXT, base -> {}));
    }

    @Test
    void shouldBeRefusedByRepair() {
        assertRefused(new RepairTool(Effect.DRY_RUN));
        assertRefused(new RepairTool(Effect.APPLY));
    }

    @Test
    void shouldBeRefusedBySalvage() {
        CrashableStorage target = new CrashableStorage();
        assertRefused(new SalvageTool(() -> target, Output.TEXT, SalvageTool.OldValues.ACCEPT));
        assertThat(target.list()).isEmpty();
    }

    @Test
    void shouldBeRefusedByTail() {
        assertRefused(TailTool.last(500, RecordPrinter.json(PayloadStyle.PREVIEW)));
    }
}
