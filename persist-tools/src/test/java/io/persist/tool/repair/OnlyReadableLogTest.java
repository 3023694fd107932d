package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.archive.Archive;
import io.persist.backup.Backup;
import io.persist.backup.BackupManifest;
import io.persist.backup.RestorePoint;
import io.persist.command.Run;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.log.RetentionRule;
import io.persist.log.segment.LogFiles;
import io.persist.support.NewerSegments;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.copy.RetainTool;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log that a newer version has to be known for to change it: it is verified and copied, and nothing else. */
class OnlyReadableLogTest {

    private static final int NEEDED_TO_WRITE = 1 << 24;
    private static final int RECORDS = 600;

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage place = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();
    private List<Long> positions = List.of();

    @BeforeEach
    void write() throws IOException {
        positions = ToolLog.closed(storage, RECORDS);
        for (long base : LogFiles.basePositions(storage)) {
            NewerSegments.flag(storage, base, NEEDED_TO_WRITE);
        }
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        for (CrashableStorage each : List.of(storage, place, target)) {
            assertThat(each.openHandles()).isZero();
        }
    }

    private static void requireItIsClean(CrashableStorage log) {
        Run run = ToolLog.run(log, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith("memory: clean\n  " + RECORDS + " records, ");
    }

    private void assertRefused(LogTool tool) {
        Map<String, Long> before = ToolLog.hashes(storage);
        Run run = ToolLog.run(storage, tool);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("this version of Persist may read the log and not change it: flags=16777216, ")
                .endsWith("; write it with " + NewerSegments.VERSION.orLater() + "\n");
        before.remove(LogFileName.CONTROL);
        assertThat(ToolLog.hashes(storage)).containsAllEntriesOf(before);
    }

    @Test
    void shouldBeVerified() {
        requireItIsClean(storage);
        assertThat(ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {})).out())
                .contains("newest segment made by Persist " + NewerSegments.VERSION);
    }

    @Test
    void shouldBeRestoredFromABackupWithItsFlagAndNotInPart() {
        Backup backup = Backup.directory(place);
        BackupManifest manifest = backup.take(storage, storage).manifest();
        assertThat(backup.restore(target)).isEqualTo(manifest);
        requireItIsClean(target);
        assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(() -> ToolLog.open(target));
        CrashableStorage part = new CrashableStorage();
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> backup.restore(part, RestorePoint.beforePosition(positions.get(60))))
                .withMessageContaining("may read the log and not change it");
    }

    @Test
    void shouldBePackedIntoAnArchive() {
        Archive archive = Archive.directory(place);
        assertThat(archive.pack(storage)).isEqualTo(archive.verify());
    }

    /** What it writes is another log. */
    @Test
    void shouldBeSalvaged() {
        Run run = ToolLog.run(storage, new SalvageTool(() -> target, Output.TEXT, SalvageTool.OldValues.ACCEPT));
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        ToolLog.open(target).close();
        requireItIsClean(target);
    }

    @Test
    void shouldNotBeRetired() {
        for (Effect effect : Effect.values()) {
            assertRefused(new RetainTool(RetentionRule.keepBytes(0), effect));
        }
    }

    @Test
    void shouldNotBeRepaired() {
        ToolLog.damage(storage, positions.get(30));
        for (Effect effect : Effect.values()) {
            assertRefused(new RepairTool(effect));
        }
    }
}
