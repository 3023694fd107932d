package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.archive.Archive;
import io.persist.file.Storage;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.copy.ArchiveTool;
import io.persist.tool.copy.RetainTool;
import io.persist.tool.repair.RepairTool;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.stats.CursorsTool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Nothing opens a lock file but who locks it: whoever closes it again takes the lock away from all of the process, and
 * tools run in the process of a writer too.
 */
class LockFilesTest {

    private final CrashableStorage files = new CrashableStorage();
    private final List<String> touched = new ArrayList<>();

    /** The same files, and each name that is opened or made is noted. */
    private final Storage storage = Interposed.after(Storage.class, files, (call, arguments, result) -> {
        if (call.equals("open") || call.equals("create")) {
            touched.add((String) arguments[0]);
        }
        return result;
    });

    @Test
    void shouldLeaveTheLockFilesAlone() {
        try (Log log = ToolLog.open(storage);
                Tailer named = log.tailer("billing")) {
            ToolLog.append(log, 500); // several segments
            named.next();
            named.store();
            everyTool();
            new LogCursors(storage).list();
        }
        everyTool();
        try (Tailer tailer = Tailer.open(storage, "billing", TailerConfig.defaults())) {
            assertThat(tailer.next()).isTrue();
        }
        new LogCursors(storage).remove("billing");
        assertThat(files.list()).anyMatch(name -> name.endsWith(".lock"));
        assertThat(touched).isNotEmpty().noneMatch(name -> name.endsWith(".lock"));
    }

    private void everyTool() {
        List<LogTool> tools = List.of(
                ToolLog.dump(RecordRange.ALL),
                new VerifyTool(Output.TEXT, base -> {}),
                new CursorsTool(Output.TEXT),
                new RepairTool(Effect.APPLY),
                new RetainTool(RetentionRule.keepBytes(ToolLog.SEGMENT_LENGTH), Effect.APPLY),
                ArchiveTool.packing(Archive.directory(new CrashableStorage()), ArchiveTool.Originals.KEEP));
        for (LogTool tool : tools) {
            ToolLog.run(storage, tool);
        }
    }
}
