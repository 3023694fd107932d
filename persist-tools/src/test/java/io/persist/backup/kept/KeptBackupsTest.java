package io.persist.backup.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.backup.Backup;
import io.persist.backup.Backup.Taken;
import io.persist.backup.BackupOptions;
import io.persist.backup.BackupOptions.Reading;
import io.persist.backup.DiskBackup;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ToolLog;
import io.persist.tool.select.RecordRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class KeptBackupsTest {

    private static final int COUNT = 3;

    @TempDir
    Path place;

    private final CrashableStorage log = new CrashableStorage();
    private final List<String> steps = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-21T06:00:00Z");
    private int failing = Integer.MAX_VALUE;
    private KeptBackups.Steps meanwhile = step -> {};

    private BackupOptions keeping(int count) {
        return BackupOptions.DEFAULT.keeping(new KeptBackups(place, count, () -> now, step -> {
            steps.add(step);
            meanwhile.before(step);
            if (steps.size() == failing) {
                throw new IOException("Input/output error");
            }
        }));
    }

    private Backup backup() throws IOException {
        return at(DirectoryStorage.create(place).description());
    }

    private static Backup at(String path) throws IOException {
        return Backup.directory(DirectoryStorage.open(Path.of(path)));
    }

    /** Appends a hundred records, about a segment, and takes a backup an hour later. */
    private Taken run() throws IOException {
        return run(100);
    }

    private Taken run(int records) throws IOException {
        append(records);
        now = now.plusSeconds(3600);
        return backup().with(keeping(COUNT)).take(log, log);
    }

    private void append(int records) {
        try (Log writer = ToolLog.open(log)) {
            ToolLog.append(writer, records);
        }
    }

    private void runs(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            run();
        }
    }

    private List<Path> kept() throws IOException {
        return KeptBackups.of(place);
    }

    private List<String> names() throws IOException {
        return kept().stream().map(path -> path.getFileName().toString()).toList();
    }

    /** What those that are kept end with, each of which has to be whole, oldest first. */
    private List<Long> ends() throws IOException {
        return kept().stream()
                .map(path -> DiskBackup.at(path).verify().lastSequence())
                .toList();
    }

    @Test
    void shouldKeepTheBackupAsItWasAfterTheLastRuns() throws IOException {
        assertThat(kept()).isEmpty();
        runs(5);
        assertThat(names()).containsExactly("2026-11-21T090000Z", "2026-11-21T100000Z", "2026-11-21T110000Z");
        assertThat(ends()).containsExactly(300L, 400L, 500L);
        CrashableStorage target = new CrashableStorage();
        at(kept().get(0).toString()).restore(target);
        assertThat(ToolLog.sequences(
                        ToolLog.run(target, ToolLog.dump(RecordRange.ALL)).out()))
                .hasSize(300);
        assertThat(backup().verify().lastSequence()).isEqualTo(500);
    }

    /** What has not changed takes its space once. */
    @Test
    void shouldHaveLinksToWhatIsTheSame() throws IOException {
        run(300);
        run();
        String settled = LogFileName.segment(0);
        for (Path path : kept()) {
            assertThat(Files.isSameFile(path.resolve(settled), place.resolve(settled)))
                    .isTrue();
        }
    }

    /** Else those of before would be lost by runs that found nothing. */
    @Test
    void shouldKeepNothingTwice() throws IOException {
        run();
        for (int i = 0; i < 5; i++) {
            now = now.plusSeconds(1);
            assertThat(backup().with(keeping(COUNT)).take(log, log).isUpToDate())
                    .isTrue();
        }
        assertThat(kept()).hasSize(1);
    }

    /** A run without the flag keeps nothing, and takes nothing away; then what was not kept comes with the next one. */
    @Test
    void shouldLeaveThemAloneIfItIsNotAsked() throws IOException {
        run();
        append(100);
        backup().take(log, log);
        assertThat(ends()).containsExactly(100L);
        assertThat(backup().with(keeping(COUNT)).take(log, log).isUpToDate()).isTrue();
        assertThat(ends()).containsExactly(100L, 200L);
        backup().with(keeping(1)).take(log, log);
        assertThat(ends()).containsExactly(200L);
    }

    @Test
    void shouldHaveThemInTheirOrderThoughTheClockIsPutBack() throws IOException {
        run();
        now = now.minusSeconds(10_000_000);
        runs(2);
        assertThat(names()).containsExactly("2026-11-21T070000Z", "2026-11-21T070001Z", "2026-11-21T070002Z");
        assertThat(ends()).containsExactly(100L, 200L, 300L);
    }

    /** Whatever fails, or ends it, those that have a name are whole; and the next run clears up. */
    @Test
    void shouldLeaveAllWholeWhicheverStepFails() throws IOException {
        runs(COUNT);
        long last = 100L * COUNT;
        boolean isDone = false;
        int failed = 0;
        while (!isDone) {
            steps.clear();
            failing = ++failed;
            try {
                run(1); // so that the next run has no more files, and no more steps
                isDone = true;
            } catch (LogIOException e) {
                assertThat(e.getMessage())
                        .startsWith("the backup is up to date, but could not be kept beside those of earlier runs: ");
            }
            failing = Integer.MAX_VALUE;
            last++;
            assertThat(ends()).as("after step %d", failed).hasSizeBetween(COUNT, COUNT + 1);
            assertThat(backup().verify().lastSequence()).isEqualTo(last);
            backup().with(keeping(COUNT)).take(log, log);
            assertThat(ends()).as("after step %d", failed).hasSize(COUNT).endsWith(last);
            assertThat(place.resolve(KeptBackups.DIRECTORY).toFile().list())
                    .as("after step %d", failed)
                    .containsExactlyInAnyOrderElementsOf(names());
        }
        assertThat(failed).isGreaterThan(10);
    }

    /** A name counts once all is on the device, and none goes before that. */
    @Test
    void shouldSyncBeforeItGoesOn() throws IOException {
        runs(COUNT);
        String oldest = names().get(0);
        steps.clear();
        run();
        String made = names().get(COUNT - 1);
        assertThat(steps.stream()
                        .filter(step -> !step.startsWith("link ") && !step.matches("delete .*(log|control|MANIFEST)")))
                .containsExactly(
                        "create " + made + ".tmp",
                        "sync " + made + ".tmp",
                        "rename " + made + ".tmp",
                        "sync kept",
                        "rename " + oldest,
                        "sync kept",
                        "delete " + oldest + ".tmp");
        assertThat(steps.subList(1, steps.indexOf("sync " + made + ".tmp")))
                .contains("link MANIFEST")
                .allMatch(step -> step.startsWith("link "));
    }

    /** The run before was killed when the backup had its name, and the name was not synced. */
    @Test
    void shouldSyncTheNameOfABackupThatIsKeptAlready() throws IOException {
        run();
        steps.clear();
        backup().with(keeping(COUNT)).take(log, log);
        assertThat(steps).containsExactly("sync kept");
    }

    /** Else it would have files of two runs. */
    @Test
    void shouldKeepWhileNoOtherRunChangesTheBackup() throws IOException {
        run();
        List<String> tried = new ArrayList<>();
        meanwhile = step -> {
            tried.add(step);
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> backup().take(log, log))
                    .withMessageContaining("another run backs up to this directory");
        };
        run();
        assertThat(tried).contains("link control", "link MANIFEST");
    }

    /** They have the damaged file in common; the one that is kept then has the good one. */
    @Test
    void shouldKeepTheBackupThatWasMended() throws IOException {
        run(300);
        run();
        Path settled = place.resolve(LogFileName.segment(0));
        byte[] bytes = Files.readAllBytes(settled);
        bytes[1000] ^= 1;
        Files.write(settled, bytes);
        for (Path path : kept()) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> DiskBackup.at(path).verify());
        }
        backup().with(keeping(COUNT).with(Reading.ALL)).take(log, log);
        assertThat(kept()).hasSize(3);
        assertThat(DiskBackup.at(kept().get(2)).verify().lastSequence()).isEqualTo(400);
    }

    /** What people put there, or renamed to keep it for longer. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldLeaveAloneWhatIsNotItsOwn() throws IOException {
        runs(2);
        Path renamed = place.resolve("kept/before-deploy");
        Files.move(kept().get(0), renamed);
        Path elsewhere = Files.createDirectories(place.resolve("kept/elsewhere"));
        Files.writeString(elsewhere.resolve("file"), "text");
        for (String name : List.of("2020-01-01T000000Z", "2020-01-01T000000Z.tmp")) {
            Files.createSymbolicLink(place.resolve("kept").resolve(name), elsewhere);
        }
        runs(COUNT + 1);
        assertThat(ends()).containsExactly(400L, 500L, 600L);
        assertThat(DiskBackup.at(renamed).verify().lastSequence()).isEqualTo(100);
        assertThat(elsewhere.resolve("file")).hasContent("text");
    }

    @Test
    void shouldNotKeepWhatIsNoDirectory() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DiskBackup.at(Path.of("b.zip")).keeping(COUNT))
                .withMessage("a zip file is made once and keeps none of earlier runs: b.zip; name a directory, or a new"
                        + " FILE.zip for each run");
        assertThat(DiskBackup.at(place).keeping(COUNT).kept()).isEmpty();
        for (int count : new int[] {0, 10_001}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> DiskBackup.at(place).keeping(count))
                    .withMessage("count=" + count + ", min=1, max=10000");
        }
    }
}
