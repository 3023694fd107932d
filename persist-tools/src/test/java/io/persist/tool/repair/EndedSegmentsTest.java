package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.backup.Backup;
import io.persist.backup.BackupManifest;
import io.persist.command.Run;
import io.persist.log.engine.Log;
import io.persist.support.DeadLog;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.DumpTool;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.select.RecordRange;
import io.persist.tool.text.PayloadStyle;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the tools make of a log whose segments were ended long before they were full, the last one too. */
class EndedSegmentsTest {

    private static final int RECORDS = 6;

    private final CrashableStorage log = new CrashableStorage();

    private static void append(Log writer) {
        for (int i = 0; i < RECORDS / 2; i++) {
            ToolLog.append(writer, 2);
            writer.roll();
        }
        writer.sync();
    }

    private static void assertWhole(CrashableStorage storage) {
        Run verified = ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(verified.code()).as(verified.out() + verified.err()).isZero();
        Run dumped = ToolLog.run(storage, new DumpTool(RecordRange.ALL, RecordPrinter.json(PayloadStyle.TEXT)));
        List<Long> numbers = ToolLog.sequences(dumped.out());
        assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, RECORDS).boxed().toList());
    }

    @Test
    void shouldBeWholeForTheTools() {
        try (Log writer = ToolLog.open(log)) {
            append(writer);
            assertWhole(log);
            assertBackedUp();
        }
        assertWhole(log);
        assertBackedUp();
        CrashableStorage salvaged = new CrashableStorage();
        Run run = ToolLog.run(log, new SalvageTool(() -> salvaged, Output.TEXT, OldValues.REFUSE));
        assertThat(run.code()).as(run.err()).isZero();
        assertWhole(salvaged);
    }

    @Test
    void shouldBeWholeAfterAPowerCut() {
        Log writer = ToolLog.open(log);
        append(writer);
        assertWhole(DeadLog.cutPower(writer, log));
    }

    private void assertBackedUp() {
        CrashableStorage place = new CrashableStorage();
        CrashableStorage restored = new CrashableStorage();
        Backup backup = Backup.directory(place);
        BackupManifest manifest = backup.take(log, log).manifest();
        assertThat(manifest.lastSequence()).isEqualTo(RECORDS);
        assertThat(backup.restore(restored)).isEqualTo(manifest);
        assertWhole(restored);
        try (Log goesOn = ToolLog.open(restored)) {
            assertThat(goesOn.position()).isEqualTo(manifest.endPosition());
            ToolLog.append(goesOn, 1);
            assertThat(goesOn.lastSequence()).isEqualTo(RECORDS + 1);
        }
    }
}
