package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.select.RecordRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The last segments are gone, as in a partial copy: no later file shows it, but the control block does. */
class SalvageLostEndTest {

    private static final int FRAME_LENGTH = 40;

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(log.openHandles() + target.openHandles()).isZero();
    }

    private Run salvage() {
        return ToolLog.run(log, new SalvageTool(() -> target, Output.TEXT, OldValues.REFUSE));
    }

    private void deleteFrom(long position) throws IOException {
        for (String name : log.list()) {
            if (LogFileName.basePosition(name).orElse(0) >= position) {
                log.delete(name);
            }
        }
    }

    private static long below(List<Long> positions, long end) {
        return positions.stream().filter(position -> position < end).count();
    }

    @Test
    void shouldMissWhatWasAcknowledged() throws Exception {
        List<Long> positions = ToolLog.closed(log, 500);
        deleteFrom(8192);
        Run run = salvage();
        assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.LOSSES);
        long left = below(positions, 8192);
        assertThat(run.out())
                .contains("\n  missing: records from " + (left + 1) + " on, positions 8192 to "
                        + (positions.get(499) + FRAME_LENGTH) + ", file " + LogFileName.segment(8192)
                        + ": the segment is missing\n");
        assertThat(ToolLog.sequences(
                        ToolLog.run(target, ToolLog.dump(RecordRange.ALL)).out()))
                .hasSize((int) left)
                .endsWith(left);
    }

    /** One stretch, which begins where the damage does. */
    @Test
    void shouldMissItBehindDamageToo() throws Exception {
        List<Long> positions = ToolLog.closed(log, 500);
        deleteFrom(8192);
        log.replace(LogFileName.segment(4096), Arrays.copyOf(log.content(LogFileName.segment(4096)), 32));
        assertThat(salvage().out())
                .contains("\n  missing: records from " + (below(positions, 4096) + 1) + " on, positions 4096 to "
                        + (positions.get(499) + FRAME_LENGTH) + ", file " + LogFileName.segment(4096)
                        + ": its records cannot be verified without its header: ")
                .hasLineCount(2);
    }

    /** They are gone with their segments; the last one, which was made ahead of them, has none yet. */
    @Test
    void shouldMissAllIfOnlyAnEmptySegmentIsLeft() throws Exception {
        List<Long> positions = ToolLog.closed(log, 500);
        long last = 0;
        for (String name : log.list()) {
            last = Math.max(last, LogFileName.basePosition(name).orElse(0));
        }
        assertThat(last).isGreaterThan(positions.get(499));
        for (String name : log.list()) {
            if (LogFileName.basePosition(name).orElse(last) < last) {
                log.delete(name);
            }
        }
        Run run = salvage();
        assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("\n  missing: records from 1 on, positions 0 to " + (positions.get(499) + FRAME_LENGTH)
                        + ": no segment is left that has records\n")
                .doesNotContain("nothing is missing");
    }

    /** What removed a key may have been there. */
    @Test
    void shouldAskBeforeAStoreGetsOldValues() throws Exception {
        try (StoreLogger store = ToolStore.open(log)) {
            ToolStore.overwrite(store, 20);
        }
        deleteFrom(8192);
        Run refused = salvage();
        assertThat(refused.code()).as(refused.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.out()).contains("nothing was written").contains("the segment is missing");
        assertThat(target.list()).isEmpty();
    }
}
