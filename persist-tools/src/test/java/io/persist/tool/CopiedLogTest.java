package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.archive.Archive;
import io.persist.backup.Backup;
import io.persist.format.LogFileName;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan.Start;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.salvage.LogSalvage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A copy says which log it is, as the log does that a logger has written: so a file of another log is none of it. */
class CopiedLogTest {

    private static final String ZIP = "copy.zip";

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage copy = new CrashableStorage();

    @BeforeEach
    void write() {
        ToolLog.closed(storage, 400);
    }

    /** The numbers of the other one are higher. */
    private void checkLeavesOutAnother() {
        CrashableStorage other = new CrashableStorage();
        ToolLog.closed(other, 2000);
        String stray = LogFileName.segment(12 * ToolLog.SEGMENT_LENGTH);
        assertThat(storage.list()).doesNotContain(stray);
        copy.replace(stray, other.content(stray));
        for (Start start : Start.values()) {
            assertThat(new LogInspector(copy).inspect(start).findings().row().label())
                    .isEqualTo("A");
        }
    }

    @Test
    void shouldBeKnownOfABackup() {
        Backup backup = Backup.directory(new CrashableStorage());
        backup.take(storage, storage);
        backup.restore(copy);
        checkLeavesOutAnother();
    }

    @Test
    void shouldBeKnownOfAnArchive() {
        CrashableStorage place = new CrashableStorage();
        Archive.zip(place, ZIP).pack(storage);
        Archive.zip(place, ZIP).restore(copy);
        checkLeavesOutAnother();
    }

    @Test
    void shouldBeKnownOfWhatWasSalvaged() {
        LogSalvage salvage = new LogSalvage(storage);
        salvage.copyTo(salvage.look(), copy);
        checkLeavesOutAnother();
    }
}
