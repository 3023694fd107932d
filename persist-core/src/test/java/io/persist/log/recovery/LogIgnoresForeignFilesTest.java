package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that nobody knows, files that were to be segments and never were, control files that are missing or none: the log is
 * whole without them. And directories that are none, or may not be written to.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class LogIgnoresForeignFilesTest extends LeftLogFixture {

    /** The log is whole and takes more. */
    private void checkWhole() {
        try (Log log = open()) {
            assertThat(log.lastSequence()).isEqualTo(last);
            assertThat(Records.readAll(log)).isEqualTo(last);
            Records.append(log, 100);
            log.commit(Durability.SYNCED);
            assertThat(Records.readAll(log)).isEqualTo(last + 100);
            last += 100;
        }
        try (Log log = open()) {
            assertThat(Records.readAll(log)).isEqualTo(last);
        }
    }

    private void change(String name, int offset, int mask) {
        LeftLog.change(storage, name, offset, mask);
    }

    // ---- files of others

    @Test
    void shouldLeaveFilesOfUnknownNamesAlone() {
        String[] names = {
            "README",
            "control.old",
            "0.log",
            "00000000000000000000.log.bak",
            "00000000000000000000.LOG",
            "000000000000000000000.log",
            "99999999999999999999.log",
            "09223372036854775807.log",
            "00000000000000000000.log.at-100.1.aside"
        };
        for (String name : names) {
            storage.replace(name, name.getBytes(StandardCharsets.UTF_8));
        }
        checkWhole();
        for (String name : names) {
            assertThat(new String(storage.content(name), StandardCharsets.UTF_8))
                    .isEqualTo(name);
        }
    }

    @Test
    void shouldRemoveWhatAnInterruptedRunWasMaking() {
        storage.replace("00000000000000999424.log.tmp", new byte[100]);
        storage.replace("00000000000000000000.log.spare", new byte[LENGTH]);
        storage.replace("control.tmp", new byte[7]);
        checkWhole();
        assertThat(storage.list()).noneMatch(name -> name.endsWith(".tmp") || name.endsWith(".spare"));
    }

    @Test
    void shouldReplaceAnEmptyFileInThePlaceOfAPreparedSegment() {
        String name = LogFileName.segment(tailBase + LENGTH);
        storage.replace(name, new byte[0]);
        checkWhole();
        assertThat(storage.content(name)).hasSize(LENGTH);
    }

    @Test
    void shouldSetAsideAFileFarBehindTheEnd() {
        String name = LogFileName.segment(1L << 40);
        storage.replace(name, "foreign".getBytes(StandardCharsets.US_ASCII));
        checkWhole();
        assertThat(storage.list())
                .doesNotContain(name)
                .anyMatch(aside -> aside.startsWith(name) && aside.endsWith(".aside"));
    }

    // ---- the control file

    @Test
    void shouldDoWithoutAControlFile() throws IOException {
        storage.delete(LogFileName.CONTROL);
        try (Tailer tailer = tailer()) {
            assertThat(Records.readAll(tailer)).isEqualTo(last);
        }
        checkWhole();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 4095})
    void shouldDoWithoutAControlFileThatWasCutShort(int length) {
        storage.replace(LogFileName.CONTROL, Arrays.copyOf(storage.content(LogFileName.CONTROL), length));
        try (Tailer tailer = tailer()) {
            assertThat(Records.readAll(tailer)).isEqualTo(last);
        }
        checkWhole();
    }

    @Test
    void shouldDoWithoutAControlFileThatIsNone() {
        change(LogFileName.CONTROL, 0, 255);
        checkWhole();
        storage.replace(LogFileName.CONTROL, new byte[10_000]);
        checkWhole();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 40, 44, 48, 56, 64, 192, 200, 256, 264, 352})
    void shouldNotBelieveAFieldOfTheControlFileThatIsDamaged(int offset) {
        for (int mask : new int[] {1, 128}) {
            for (int at = 0; at < 4; at++) {
                change(LogFileName.CONTROL, offset + at, mask);
                checkWhole();
            }
        }
    }

    // ---- the directory

    @Test
    void shouldRefuseAFileInThePlaceOfTheDirectory(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "something");
        LogConfig config = WriterKind.MAPPED.config(file).build();
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Log.open(config))
                .withMessageContaining("not a directory: " + file);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> Tailer.open(config.directory()));
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() ->
                        Log.open(WriterKind.MAPPED.config(file.resolve("below")).build()));
        assertThat(file).hasContent("something");
    }

    @Test
    void shouldLeaveDirectoriesAlone(@TempDir Path directory) throws IOException {
        Files.createDirectories(directory.resolve("archive"));
        Files.createDirectories(directory.resolve("archive.tmp"));
        LogConfig config = WriterKind.MAPPED.config(directory).build();
        for (int life = 0; life < 2; life++) {
            try (Log log = Log.open(config)) {
                Records.append(log, 50);
                log.flush();
                assertThat(Records.readAll(log)).isEqualTo(50 * (life + 1));
            }
        }
        assertThat(directory.resolve("archive.tmp")).isEmptyDirectory();
    }

    @Test
    void shouldRefuseToReadADirectoryThatIsNotThere(@TempDir Path directory) {
        Path missing = directory.resolve("missing");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Tailer.open(missing))
                .withMessageContaining("no such directory: " + missing);
        assertThat(missing).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldReadButNotWriteInAReadOnlyDirectory(ReadMode readMode, @TempDir Path directory) throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        if (root) {
            System.out.println("SKIPPED LogIgnoresForeignFilesTest.shouldReadButNotWriteInAReadOnlyDirectory: is root");
        }
        assumeTrue(!root, "root may write everywhere");
        LogConfig config = WriterKind.MAPPED.config(directory).build();
        TailerConfig reading = WriterKind.reader().readMode(readMode).build();
        try (Log log = Log.open(config)) {
            Records.append(log, 50);
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> Log.open(config))
                    .withMessageContaining("not writable");
            try (Tailer tailer = Tailer.open(config.directory())) {
                assertThat(Records.readAll(tailer)).isEqualTo(50);
            }
        } finally {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** An overtaken writer finds out that the log is another one's, and deletes what it was making. */
    @Test
    void shouldDoWithoutALeftoverThatGoesMeanwhile() {
        String leftover = LogFileName.segment(tailBase + 4L * LENGTH) + ".tmp";
        storage.replace(leftover, new byte[LENGTH]);
        Storage shared = new ForwardingStorage() {
            @Override
            public Storage storage() {
                return storage;
            }

            @Override
            public void delete(String name) throws IOException {
                if (name.equals(leftover)) {
                    storage.delete(name);
                }
                storage.delete(name);
            }
        };
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), shared)) {
            assertThat(log.lastSequence()).isEqualTo(last);
        }
        assertThat(storage.list()).doesNotContain(leftover);
    }
}
