package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.log.ReadMode;
import io.persist.log.WriteMode;
import io.persist.support.Await;
import io.persist.support.CopiedFiles;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A tailer is open while all files of its log are replaced, as somebody does who restores a backup in their place. */
@ParameterizedClass
@MethodSource("io.persist.log.read.TailedLog#modes")
class TailerReplacedFilesTest {

    @Parameter(0)
    WriteMode writeMode;

    @Parameter(1)
    ReadMode readMode;

    /** They fit one segment, so that nothing leads the tailer to another file. */
    private static final int IN_ONE_SEGMENT = 5;

    private static final int IN_MANY_SEGMENTS = 200;

    private final CrashableStorage storage = new CrashableStorage();

    private void append(int records) {
        TailedLog.open(TailedLog.config(writeMode), storage, records).close();
    }

    private Tailer tailer() {
        return Tailer.open(storage, TailedLog.reader(readMode));
    }

    /** It reads the file that it has open to the end at most. */
    private static void assertReplaced(Tailer tailer) {
        assertReplaced(tailer, 0);
    }

    private static void assertReplaced(Tailer tailer, long base) {
        Await.until("it is noticed", () -> {
            try {
                while (tailer.next()) {}
                return false;
            } catch (CorruptLogException replaced) {
                return true;
            }
        });
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(tailer::next)
                .withMessageContaining("the files of the log were replaced, file=" + LogFileName.segment(base))
                .withMessageEndingWith("; open the tailer anew");
    }

    /** Whatever is appended to the files that are there now, it would read on in those that are gone. */
    @Test
    void shouldNotWaitForWhatIsAppendedToOtherFiles() {
        append(IN_ONE_SEGMENT);
        CopiedFiles backup = CopiedFiles.of(storage);
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(6);
            backup.restore();
            append(3);
            assertReplaced(tailer);
        }
        try (Tailer tailer = tailer()) {
            assertThat(Records.readAll(tailer)).isEqualTo(8);
        }
    }

    /** It has read what the backup lacks. */
    @Test
    void shouldNotGoOnBehindTheBackup() {
        append(IN_ONE_SEGMENT);
        CopiedFiles backup = CopiedFiles.of(storage);
        append(IN_ONE_SEGMENT);
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(11);
            backup.restore();
            assertReplaced(tailer);
        }
    }

    /** The old file has records that it has not read yet, and the numbers go on in the next one of the backup. */
    @Test
    void shouldNotStepFromOldFilesIntoThoseOfTheBackup() {
        append(IN_MANY_SEGMENTS);
        CopiedFiles backup = CopiedFiles.of(storage);
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isTrue();
            backup.restore();
            assertReplaced(tailer);
        }
    }

    /** The log's newest file was not in the backup. */
    @Test
    void shouldNotTakeAFileThatTheBackupLacksForDamage() {
        append(IN_ONE_SEGMENT);
        CopiedFiles backup = CopiedFiles.of(storage);
        append(IN_MANY_SEGMENTS);
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isTrue();
            backup.restore();
            assertReplaced(tailer);
        }
    }

    /** As almost always, where the log goes on: it waits in a file of which the backup has none. */
    @Test
    void shouldNotWaitInAFileThatTheBackupLacks() {
        append(IN_ONE_SEGMENT);
        CopiedFiles backup = CopiedFiles.of(storage);
        append(IN_MANY_SEGMENTS);
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            long base = tailer.nextPosition() / 4096 * 4096;
            backup.restore();
            assertReplaced(tailer, base);
            append(2 * IN_MANY_SEGMENTS);
            assertReplaced(tailer, base); // though there is a file of its name again
        }
    }
}
