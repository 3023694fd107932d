package io.persist.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.NoFile;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that somebody made to do harm where they are unpacked. What their names can do is in {@link ArchiveTest}. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class HostileArchiveTest {

    private static final String ZIP = "a.zip";
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    private final CrashableStorage place = new CrashableStorage();
    private Map<String, byte[]> files;

    @BeforeEach
    void pack() {
        CrashableStorage log = new CrashableStorage();
        try (Log writer = Log.open(CONFIG, log)) {
            Records.appendUntilRolled(writer, 4);
        }
        Archive.zip(place, ZIP).pack(log);
        files = Zips.unzip(place.content(ZIP));
    }

    private Archive archive(Map<String, byte[]> content) {
        place.replace("bad.zip", Zips.zip(content));
        return Archive.zip(place, "bad.zip");
    }

    private static byte[] manifest(String lines) {
        CRC32C crc = new CRC32C();
        crc.update(lines.getBytes(StandardCharsets.UTF_8));
        long count = lines.lines().count() - 2;
        return (lines + "end " + count + " " + String.format("%08x", (int) crc.getValue()) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** An archive that is good up to its last byte but one gets nothing written. */
    @Test
    void shouldWriteNothingBeforeAllIsVerified() {
        Map<String, byte[]> bad = new TreeMap<>(files);
        bad.put(LogFileName.segment(8192), new byte[4096]);
        List<String> done = new ArrayList<>();
        CrashableStorage target = new CrashableStorage().hook((number, what) -> done.add(what));
        assertThatThrownBy(() -> archive(bad).restore(target)).isInstanceOf(CorruptLogException.class);
        assertThat(done).containsExactly("tryLock writer.lock", "delete writer.lock");
        archive(files).restore(target);
        assertThat(target.list()).hasSizeGreaterThan(3);
    }

    /** Zeros take a thousandth in a zip file. A control block comes to the four segments. */
    @Test
    void shouldWriteNothingThatHasNoSpace() {
        List<String> done = new ArrayList<>();
        CrashableStorage target =
                new CrashableStorage().capacityBytes(5 * 4096 - 1).hook((number, what) -> done.add(what));
        assertThatThrownBy(() -> archive(files).restore(target))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining(
                        "No space left on device: needed=20480, usable=20479; make space there, or name another place");
        assertThat(done).containsExactly("tryLock writer.lock", "delete writer.lock");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "persist-archive 1\nlog \u001B[2J 2\nsegment x\n",
                "persist-archive 1\nlog 1122334455667788 \u001B[2J\nsegment 0 1\n",
                "persist-archive 1\nlog 1122334455667788 messages\nsegment \u001B[2J\u202E\n",
                "persist-archive 1\nlog 1122334455667788 messages\nsegment a \u001B[2J 0 0 0 00000000\n",
                "persist-archive 1\nlog 1122334455667788 messages\nsegment a 0 0 0 0 \u001B[2J!!!!\n",
                "persist-archive 1\nlog 1122334455667788 messages\n",
                "persist-archive 1\n",
                "\n",
                ""
            })
    void shouldRefuseAManifestOnOneLineWithoutControls(String lines) {
        for (byte[] manifest : new byte[][] {manifest(lines), lines.getBytes(StandardCharsets.UTF_8)}) {
            Archive bad = archive(Map.of(ArchiveManifest.NAME, manifest));
            assertThatThrownBy(bad::verify)
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageMatching("[ -~]{1,600}");
        }
    }

    /** Each empty line would be an object or two. */
    @Test
    void shouldNotKeepTheLinesOfWhatIsNoManifest() {
        byte[] lines = "\n".repeat(ArchiveManifest.MAX_LENGTH + 100).getBytes(StandardCharsets.UTF_8);
        byte[] words = ("persist-archive 1\nlog 1122334455667788 messages\n" + " ".repeat(8 << 20))
                .getBytes(StandardCharsets.UTF_8);
        for (byte[] manifest : new byte[][] {lines, words}) {
            Archive bad = archive(Map.of(ArchiveManifest.NAME, manifest));
            assertThatThrownBy(bad::verify)
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageMatching("[ -~]{1,600}");
        }
    }

    @Test
    void shouldRefuseANameThatIsNoText() {
        byte[] zip = Zips.zip(Map.of(LogFileName.segment(0), new byte[10]));
        byte[] bad = new String(zip, StandardCharsets.ISO_8859_1)
                .replace(
                        LogFileName.segment(0),
                        "\u00FF\u00FE" + LogFileName.segment(0).substring(2))
                .getBytes(StandardCharsets.ISO_8859_1);
        place.replace("bad.zip", bad);
        assertThatThrownBy(() -> Archive.zip(place, "bad.zip").verify()).isInstanceOf(PersistException.class);
    }

    @ParameterizedTest
    @EnumSource(NoFile.class)
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void shouldReadAndReplaceNothingThatIsNoFile(NoFile kind, @TempDir Path temporary) throws IOException {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Path victim = Files.write(elsewhere.resolve("victim"), place.content(ZIP));
        Path directory = Files.createDirectory(temporary.resolve("archives"));
        kind.replace(directory.resolve(ZIP), victim);
        Map<String, Object> before = NoFile.content(temporary);
        DirectoryStorage storage = DirectoryStorage.open(directory);
        CrashableStorage log = new CrashableStorage();
        try (Log writer = Log.open(CONFIG, log)) {
            Records.appendUntilRolled(writer, 2);
        }
        assertThatThrownBy(() -> Archive.zip(storage, ZIP).verify())
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("not a regular file");
        assertThatThrownBy(() -> Archive.zip(storage, ZIP).pack(log))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("file exists already");
        assertThatThrownBy(() -> archive(files).restore(storage))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("directory is not empty");
        assertThat(NoFile.content(temporary)).isEqualTo(before);
    }

    /** A volume of one's own is empty but for this. */
    @Test
    void shouldRestoreIntoTheRootOfAFileSystem(@TempDir Path directory) throws IOException {
        Files.createDirectory(directory.resolve("lost+found"));
        archive(files).restore(DirectoryStorage.open(directory));
        assertThat(directory.resolve(LogFileName.segment(0))).exists();
    }

    @ParameterizedTest
    @EnumSource(value = NoFile.class, mode = Mode.EXCLUDE, names = "DIRECTORY")
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void shouldNotFollowALinkInAnArchiveThatIsADirectory(NoFile kind, @TempDir Path temporary) throws IOException {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Path victim = Files.write(elsewhere.resolve("victim"), files.get(LogFileName.segment(0)));
        Path directory = Files.createDirectory(temporary.resolve("archive"));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Files.write(directory.resolve(file.getKey()), file.getValue());
        }
        Archive archive = Archive.directory(DirectoryStorage.open(directory));
        archive.verify();
        kind.replace(directory.resolve(LogFileName.segment(0)), victim);
        assertThatThrownBy(archive::verify)
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("not a regular file");
    }
}
