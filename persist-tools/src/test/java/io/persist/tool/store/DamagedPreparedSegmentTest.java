package io.persist.tool.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.StorePlace;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.print.EntryPrinter;
import io.persist.tool.print.EntryPrinter.Form;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.stats.StatsTool;
import io.persist.tool.store.StoreGetTool.ValueStyle;
import io.persist.tool.text.KeyFormat;
import io.persist.tool.text.PayloadStyle;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a writer has prepared behind the end of its log holds no record, so that damage there is nobody's loss. */
class DamagedPreparedSegmentTest {

    private final CrashableStorage storage = new CrashableStorage();

    private static List<LogTool> readers() {
        EntryPrinter printer = EntryPrinter.of(Form.TEXT, KeyFormat.TEXT, PayloadStyle.PREVIEW);
        return List.of(
                new VerifyTool(Output.TEXT, base -> {}),
                StatsTool.once(Output.TEXT),
                new StoreGetTool("a", KeyFormat.TEXT, ValueStyle.TEXT, StorePlace.ONE),
                new StoreScanTool(KeyRange.all(), Direction.FORWARD, Long.MAX_VALUE, printer, StorePlace.ONE),
                new StoreStatsTool(StoreStatsTool.Form.TEXT, StorePlace.ONE));
    }

    private void write() {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.put(store, "a", "one");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, ToolLog.SEGMENT_LENGTH, 2 * ToolLog.SEGMENT_LENGTH})
    void shouldStopNoReader(int length) {
        write();
        storage.replace(LogFileName.segment(ToolLog.SEGMENT_LENGTH), new byte[length]);
        for (LogTool reader : readers()) {
            Run run = ToolLog.run(storage, reader);
            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isEqualTo(ExitCode.OK);
        }
        Run upkeep = ToolLog.run(storage, StoreUpkeepTool.checkpointing(StorePlace.ONE)); // a writer sets it aside
        assertThat(upkeep.code()).as(upkeep.err()).isEqualTo(ExitCode.OK);
        assertThat(storage.openHandles()).isZero();
    }

    /** Negative control: where records are, damage is not overlooked. */
    @Test
    void shouldStopReadersWhereRecordsAre() {
        write();
        storage.replace(LogFileName.segment(0), new byte[ToolLog.SEGMENT_LENGTH]);
        for (LogTool reader : readers()) {
            if (!(reader instanceof StatsTool)) { // which reads no record but the first
                assertThat(ToolLog.run(storage, reader).code()).isEqualTo(ExitCode.FAILURE);
            }
        }
    }
}
