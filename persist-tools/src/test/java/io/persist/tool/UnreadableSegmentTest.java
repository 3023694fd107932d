package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Run;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.RetentionRule;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.copy.RetainTool;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.TailTool;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.stats.StatsTool;
import io.persist.tool.text.PayloadStyle;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The oldest segment cannot be read, as on a bad block: whoever looks at newer records needs nothing of it. */
class UnreadableSegmentTest {

    private static final int LAST = 600;
    private static final String OLDEST = LogFileName.segment(0);

    private final CrashableStorage storage = new CrashableStorage();
    private final Storage unreadable = new Unreadable(storage);

    private record Unreadable(Storage storage) implements ForwardingStorage {

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            if (name.equals(OLDEST)) {
                throw new IOException(name + ": Input/output error");
            }
            return storage.open(name, access);
        }
    }

    @BeforeEach
    void write() {
        ToolLog.closed(storage, LAST);
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldShowTheNewestRecords() {
        Run tail = ToolLog.run(unreadable, TailTool.last(3, RecordPrinter.json(PayloadStyle.PREVIEW)));
        assertThat(tail.code()).isZero();
        assertThat(ToolLog.sequences(tail.out())).containsExactly(LAST - 2L, LAST - 1L, (long) LAST);
        RecordRange end = new RecordRange(0, Long.MAX_VALUE, LAST - 100, Long.MAX_VALUE, Long.MAX_VALUE);
        Run dump = ToolLog.run(unreadable, ToolLog.dump(end));
        assertThat(dump.code()).isZero();
        assertThat(ToolLog.sequences(dump.out())).hasSize(101);
    }

    @Test
    void shouldShowTheNumbersOfTheLog() {
        String whole = ToolLog.run(storage, StatsTool.once(Output.JSON)).out();
        Run stats = ToolLog.run(unreadable, StatsTool.once(Output.JSON));
        assertThat(stats.code()).isZero();
        for (String name : new String[] {"logId", "endPosition", "lastSequence"}) {
            assertThat(value(stats.out(), name)).isEqualTo(value(whole, name));
        }
    }

    private static String value(String json, String name) {
        int begin = json.indexOf('"' + name + "\":");
        assertThat(begin).as(name).isPositive();
        return json.substring(begin, json.indexOf(',', begin));
    }

    /** What needs all of the log names the file. */
    @Test
    void shouldBeNamedByWhatNeedsIt() {
        assertNamed(ToolLog.run(unreadable, new VerifyTool(Output.TEXT, base -> {})));
        assertNamed(ToolLog.run(unreadable, new RetainTool(RetentionRule.keepBytes(0), Effect.DRY_RUN)));
        assertNamed(ToolLog.run(unreadable, ToolLog.dump(RecordRange.ALL)));
    }

    private static void assertNamed(Run run) {
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains(OLDEST);
    }
}
