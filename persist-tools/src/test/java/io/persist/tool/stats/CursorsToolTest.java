package io.persist.tool.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.command.Run;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.copy.RetainTool;
import io.persist.tool.repair.RepairTool;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CursorsToolTest {

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private Run run(LogTool tool) {
        return ToolLog.run(storage, tool);
    }

    private Tailer tailer(String name) {
        return Tailer.open(storage, name, TailerConfig.defaults());
    }

    @Test
    void shouldSayThatThereAreNone() {
        ToolLog.closed(storage, 3);
        assertThat(run(new CursorsTool(Output.TEXT))).isEqualTo(new Run(0, "memory: no cursors\n", ""));
        assertThat(run(new CursorsTool(Output.JSON)).out()).isEqualTo("{\"log\":\"memory\",\"cursors\":[]}\n");
    }

    @Test
    void shouldShowATable() {
        try (Log log = ToolLog.open(storage);
                Tailer used = tailer("billing")) {
            ToolLog.append(log, 300);
            tailer("an-idle-one").close();
            assertThat(used.next()).isTrue();
            used.store();
            String[] lines = run(new CursorsTool(Output.TEXT)).out().split("\n");
            assertThat(lines[0]).isEqualTo("memory: 2 cursors");
            assertThat(lines[1]).matches("  name +position {2}record {2}lag +holds from +stored at +in use by");
            long lag = log.committedPosition() - 64;
            assertThat(lines[2])
                    .matches("  an-idle-one {2}64 +1 +" + lag + " bytes {2}00000000000000000000.log {2}20\\S+Z +-");
            assertThat(lines[3])
                    .startsWith("  billing      96        2       ")
                    .endsWith("  process " + ProcessHandle.current().pid());
            assertThat(lines).hasSize(4);
        }
    }

    @Test
    void shouldPrintJson() {
        ToolLog.closed(storage, 3);
        tailer("billing").close();
        assertThat(run(new CursorsTool(Output.JSON)).out())
                .matches("\\{\"log\":\"memory\",\"cursors\":\\[\\{\"name\":\"billing\",\"position\":64,\"sequence\":1,"
                        + "\"lagBytes\":96,\"holdsFrom\":\"00000000000000000000.log\",\"storedAtMs\":\\d+,"
                        + "\"inUse\":false,\"pid\":0}]}\n");
    }

    @Test
    void shouldTellOfACursorThatCannotBeRead() {
        ToolLog.closed(storage, 300);
        tailer("good").close();
        storage.replace("broken.cursor", new byte[1]);
        Run run = run(new CursorsTool(Output.TEXT));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("  good ")
                .contains("  broken: cannot be read and holds the whole log: corrupt log: ");
        assertThat(run(new CursorsTool(Output.JSON)).out()).contains("\"damage\":\"corrupt log: neither slot");
    }

    @Test
    void shouldRemoveACursorThatHoldsTheLog() {
        ToolLog.closed(storage, 300);
        tailer("forgotten").close();
        RetainTool retain = new RetainTool(RetentionRule.keepBytes(0), Effect.APPLY);
        assertThat(run(retain).out())
                .contains("deleted 0 segments")
                .contains("  kept: 00000000000000000000.log, because cursor forgotten is at position 64\n");
        assertThat(run(CursorsTool.removing("forgotten")))
                .isEqualTo(new Run(0, "memory: removed cursor forgotten\n", ""));
        assertThat(run(retain).out()).doesNotContain("deleted 0").doesNotContain("kept");
    }

    @Test
    void shouldRefuseToRemoveWhatIsNotThereOrInUse() {
        ToolLog.closed(storage, 3);
        try (Tailer used = tailer("billing")) {
            Run run = run(CursorsTool.removing("billing"));
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err()).contains("cursor is in use: name=billing").hasLineCount(1);
            used.store();
        }
        assertThat(run(CursorsTool.removing("other")).err())
                .contains("no such cursor: name=other")
                .contains("cursors=[billing]")
                .hasLineCount(1);
        assertThatIllegalArgumentException().isThrownBy(() -> CursorsTool.removing("a/b"));
    }

    /** A log that a repair has cut at its record 100, before the cursor. */
    private void cutBeforeTheCursor() {
        List<Long> positions = ToolLog.closed(storage, 300);
        try (Tailer reader = tailer("billing")) {
            reader.toSequence(200);
            reader.store();
        }
        ToolLog.damage(storage, positions.get(99));
        assertThat(run(new RepairTool(Effect.DRY_RUN)).out()).contains("  would mark: cursor billing, ");
        assertThat(run(new RepairTool(Effect.APPLY)).out())
                .contains("  marked: cursor billing, ")
                .contains(" bin/persist cursors memory --remove billing\n");
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 300);
        }
    }

    @Test
    void shouldSayThatTheReaderOfACursorIsRefused() {
        cutBeforeTheCursor();
        tailer("good").close();
        String why = "cursor billing is beyond a place where a repair or a restore has cut the log";
        String remedy = "bin/persist cursors memory --remove billing";
        Run cursors = run(new CursorsTool(Output.TEXT));
        assertThat(cursors.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(cursors.out())
                .contains("  cursor billing holds the log for a reader that is refused: corrupt log: " + why)
                .contains(remedy + "\n")
                .doesNotContain("cursor good");
        assertThat(run(new CursorsTool(Output.JSON)).out())
                .containsOnlyOnce("\"refused\":\"corrupt log: " + why)
                .contains("\"name\":\"good\"");
        assertThat(run(StatsTool.once(Output.TEXT)).out()).contains(why).contains(remedy);
        assertThat(run(StatsTool.once(Output.JSON)).out()).containsOnlyOnce("\"refused\":\"corrupt log: " + why);
        assertThat(run(CursorsTool.removing("good")).code()).isZero();
        assertThat(run(new RetainTool(RetentionRule.keepBytes(0), Effect.DRY_RUN))
                        .out())
                .contains(", although its reader is refused since a repair or a restore has cut the log\n")
                .contains(remedy);
        assertThat(run(CursorsTool.removing("billing")).code()).isZero();
        assertThat(run(new CursorsTool(Output.TEXT)).code()).isZero();
        assertThat(run(StatsTool.once(Output.JSON)).out()).doesNotContain("refused");
    }

    /** Whoever only looks may be another user: a lock's file of his would keep the application out. */
    @Test
    void shouldMakeNoFileOnlyToLook() throws Exception {
        ToolLog.closed(storage, 300);
        tailer("billing").close();
        storage.delete(LogFileName.CURSORS_LOCK);
        storage.delete("billing.cursor.lock");
        List<String> before = storage.list();
        assertThat(run(new CursorsTool(Output.TEXT)).out()).contains("  billing ");
        assertThat(storage.list()).isEqualTo(before);
    }

    /** Without the lock a reader may begin, and another cursor be removed, during the look. */
    @Test
    void shouldLookAgainIfACursorIsRemovedMeanwhile() throws Exception {
        ToolLog.closed(storage, 300);
        tailer("a").close();
        tailer("b").close();
        storage.delete(LogFileName.CURSORS_LOCK);
        boolean[] isRemoved = {false};
        Storage interposed = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
            if (call.equals("open") && arguments[0].equals("a.cursor") && !isRemoved[0]) {
                isRemoved[0] = true;
                new LogCursors(storage).remove("b");
            }
            return result;
        });
        Run run = ToolLog.run(interposed, new CursorsTool(Output.TEXT));
        assertThat(isRemoved[0]).isTrue();
        assertThat(run.out()).as(run.err()).contains("  a ").doesNotContain("  b ");
    }
}
