package io.persist.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.store.StoreConfig;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskBackupTest {

    private static final byte[] KEY = "key".getBytes(UTF_8);

    @TempDir
    Path directory;

    private LogConfig log(String name) {
        return LogConfig.builder(directory.resolve(name)).segmentLength(65536).build();
    }

    private StoreConfig store(String log, String checkpoints) {
        return StoreConfig.builder(log(log))
                .checkpointDirectory(directory.resolve(checkpoints))
                .build();
    }

    private static void append(MessageLogger logger) {
        logger.append(new byte[100]);
        logger.commit(Durability.SYNCED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"backup", "backup.zip"})
    void shouldHaveALogThatGoesOnMeanwhile(String name) {
        DiskBackup backup = DiskBackup.at(directory.resolve(name));
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            append(logger);
            append(logger);
            assertThat(backup.take(log("log")).manifest().lastSequence()).isEqualTo(2);
            append(logger);
        }
        assertThat(backup.verify().lastSequence()).isEqualTo(2);
        assertThat(backup.restore(directory.resolve("restored")).lastSequence()).isEqualTo(2);
        try (MessageLogger logger = MessageLogger.open(log("restored"))) {
            assertThat(logger.lastSequence()).isEqualTo(2);
        }
    }

    /** What {@code cp -al} does. */
    private Path linked(String from, String to) throws IOException {
        Path copy = Files.createDirectory(directory.resolve(to));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.resolve(from))) {
            for (Path file : files) {
                Files.createLink(copy.resolve(file.getFileName()), file);
            }
        }
        return copy;
    }

    @Test
    void shouldWriteToNoFileOfTheBackupBefore() throws IOException {
        DiskBackup backup = DiskBackup.at(directory.resolve("backup"));
        List<Path> generations = new ArrayList<>();
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            for (int i = 1; i <= 3; i++) {
                for (int n = 0; n < 1000; n++) { // more than a segment
                    logger.append(new byte[100]);
                }
                logger.sync();
                backup.take(log("log"));
                generations.add(linked("backup", "backup." + i));
                logger.retire(logger.planRetention(RetentionRule.keepBytes(65536)), Retirement.RECYCLE);
            }
        }
        for (int i = 1; i <= 3; i++) {
            DiskBackup before = DiskBackup.at(generations.get(i - 1));
            assertThat(before.verify().lastSequence()).isEqualTo(1000L * i);
            assertThat(before.restore(directory.resolve("restored" + i)).lastSequence())
                    .isEqualTo(1000L * i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"backup", "backup.zip"})
    @DisabledOnOs(OS.WINDOWS)
    void shouldBeWhereTheOperatingSystemGoesFromALink(String name) throws IOException {
        Files.createDirectories(directory.resolve("a/b"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a/b"));
        DiskBackup backup = DiskBackup.at(link.resolve("..").resolve(name));
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            append(logger);
            backup.take(log("log"));
        }
        assertThat(directory.resolve("a").resolve(name)).exists();
        assertThat(directory.resolve(name)).doesNotExist();
        assertThat(backup.verify().lastSequence()).isEqualTo(1);
    }

    @Test
    void shouldBeBroughtUpToDate() {
        DiskBackup backup = DiskBackup.at(directory.resolve("backup"));
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            append(logger);
            assertThat(backup.take(log("log")).written()).isPositive();
            assertThat(backup.take(log("log")).written()).isZero();
            append(logger);
            assertThat(backup.take(log("log")).manifest().lastSequence()).isEqualTo(2);
        }
    }

    @Test
    void shouldBeMendedIfAllIsRead() throws IOException {
        DiskBackup backup = DiskBackup.at(directory.resolve("backup"));
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            append(logger);
            backup.take(log("log"));
        }
        Path segment = directory.resolve("backup").resolve(LogFileName.segment(0));
        byte[] bytes = Files.readAllBytes(segment);
        bytes[1000] ^= 1;
        Files.write(segment, bytes);
        assertThat(backup.take(log("log")).isUpToDate()).isTrue();
        assertThatExceptionOfType(CorruptLogException.class).isThrownBy(backup::verify);
        assertThat(backup.readingAll().take(log("log")).written()).isEqualTo(1);
        assertThat(backup.verify().lastSequence()).isEqualTo(1);
    }

    @Test
    void shouldHaveTheCheckpointsOfAStoreWhereverTheyAre() {
        Path path = directory.resolve("backup");
        StoreConfig config = store("log", "checkpoints");
        try (StoreLogger store = StoreLogger.open(config)) {
            store.put(KEY, KEY);
            store.checkpoint();
            // snippet: backup
            DiskBackup backup = DiskBackup.at(path); // a directory, or FILE.zip
            Backup.Taken taken = backup.take(config); // beside the writer; of a MessageLogger its LogConfig
            long position = taken.manifest().endPosition(); // up to here
            // end
            assertThat(position).isEqualTo(store.position());
            assertThat(taken.manifest().files()).anyMatch(file -> file.name().endsWith(".chk"));
        }
        DiskBackup.at(path).restore(directory.resolve("restored"));
        try (StoreLogger store = StoreLogger.open(store("restored", "restored"))) {
            assertThat(store.getBytes(KEY)).isEqualTo(KEY);
        }
    }

    @Test
    void shouldBeKeptAsItWas() {
        Path path = directory.resolve("backup");
        Path target = directory.resolve("restored");
        LogConfig config = log("log");
        try (MessageLogger logger = MessageLogger.open(config)) {
            append(logger);
            DiskBackup.at(path).keeping(24).take(config);
            append(logger);
            // snippet: backup-keep
            DiskBackup backup = DiskBackup.at(path).keeping(24);
            backup.take(config);
            Path oldest = backup.kept().get(0);
            DiskBackup.at(oldest).restore(target);
            // end
            assertThat(backup.kept()).hasSize(2);
        }
        try (MessageLogger logger = MessageLogger.open(log("restored"))) {
            assertThat(logger.lastSequence()).isEqualTo(1);
        }
    }

    /** As docs/backups.md says: the checkpoints are moved once all is restored. */
    @Test
    void shouldBeRestoredWithCheckpointsInADirectoryOfTheirOwn() throws IOException {
        DiskBackup backup = DiskBackup.at(directory.resolve("backup"));
        StoreConfig config = store("log", "checkpoints");
        try (StoreLogger store = StoreLogger.open(config)) {
            store.put(KEY, KEY);
            store.checkpoint();
            backup.take(config);
        }
        Path restored = directory.resolve("restored");
        backup.restore(restored);
        Path moved = Files.createDirectory(directory.resolve("moved"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(restored, "checkpoint-*.chk")) {
            for (Path file : files) {
                Files.move(file, moved.resolve(file.getFileName()));
            }
        }
        try (StoreLogger store = StoreLogger.open(store("restored", "moved"))) {
            assertThat(store.recovery().checkpoint().isNone()).isFalse();
            assertThat(store.recovery().skipped()).isEmpty();
            assertThat(store.getBytes(KEY)).isEqualTo(KEY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"backup", "backup.zip"})
    void shouldBeRestoredAsItWasBeforeARecord(String name) {
        DiskBackup backup = DiskBackup.at(directory.resolve(name));
        List<String> seen = new ArrayList<>();
        long position;
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            append(logger);
            position = logger.position();
            append(logger);
            append(logger);
            backup.take(log("log"));
        }
        Path target = directory.resolve("restored");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> backup.restore(target, RestorePoint.beforePosition(position + 8)));
        // snippet: restore-point
        Backup.Restored restored = backup.restore(target, RestorePoint.beforePosition(position)); // or afterSequence
        for (Backup.CutOffCursor cursor : restored.cutOff()) {
            seen.add(cursor.name() + " has handled the records before " + cursor.sequence()); // and is refused
        }
        // end
        assertThat(restored.lastSequence()).isEqualTo(1);
        assertThat(seen).isEmpty();
        try (MessageLogger logger = MessageLogger.open(log("restored"))) {
            assertThat(logger.lastSequence()).isEqualTo(1);
            assertThat(logger.position()).isEqualTo(position);
        }
    }

    /** Once to compare all of it before the directory is made, and once to copy it. */
    @ParameterizedTest
    @ValueSource(strings = {"backup", "backup.zip"})
    void shouldBeReadTwiceToBeRestored(String name) throws IOException {
        PackedPath place = new PackedPath(directory.resolve(name));
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            append(logger);
            DiskBackup.at(place.path()).take(log("log"));
        }
        Map<String, Integer> opened = new HashMap<>();

        Backup.at(place, counting(place.open(), opened)).restore(directory.resolve("restored"), RestorePoint.END);

        assertThat(opened).isNotEmpty();
        opened.remove(BackupManifest.NAME); // which is looked at to see that no run changes it meanwhile
        assertThat(opened.values()).allMatch(times -> times == 2);
    }

    private static Storage counting(Storage storage, Map<String, Integer> opened) {
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("open")) {
                        opened.merge((String) arguments[0], 1, Integer::sum);
                    }
                    return method.invoke(storage, arguments);
                });
    }

    @Test
    void shouldMakeNoDirectoryOfWhatIsNoBackup() {
        Path target = directory.resolve("restored");
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> DiskBackup.at(directory).restore(target))
                .withMessageContaining("not a backup");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> DiskBackup.at(directory.resolve("none")).restore(target))
                .withMessageContaining("cannot read the backup " + directory.resolve("none"));
        assertThat(target).doesNotExist();
    }

    @Test
    void shouldNotMakeADirectoryForABackupOfNothing() {
        Path backup = directory.resolve("backup");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> DiskBackup.at(backup).take(log("none")))
                .withMessageContaining("cannot back up to " + backup)
                .withMessageContaining("none");
        assertThat(backup).doesNotExist();
    }

    @Test
    void shouldNotRestoreOverAnything() throws IOException {
        DiskBackup backup = DiskBackup.at(directory.resolve("backup"));
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            append(logger);
            backup.take(log("log"));
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> backup.restore(directory.resolve("log")))
                    .withMessageContaining("directory is not empty: " + directory.resolve("log"));
        }
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("file"), "text");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> backup.restore(other))
                .withMessageContaining("other");
        assertThat(other.resolve("file")).hasContent("text");
    }

    /** A directory of a log has nothing else, and the next copy would have this one in it. */
    @ParameterizedTest
    @ValueSource(strings = {"log/backup", "log/backup.zip", "log/a/../backup"})
    void shouldNotMakeOneWithinTheLogItself(String name) {
        Path path = directory.resolve(name);
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            append(logger);
        }
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> DiskBackup.at(path).take(log("log")))
                .withMessageContaining("it would lie within " + directory.resolve("log"));
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> DiskArchive.at(path).pack(log("log")))
                .withMessageContaining("it would lie within " + directory.resolve("log"));
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldTellAnArchiveFromABackup() {
        LogConfig log =
                LogConfig.builder(directory.resolve("log")).segmentLength(4096).build();
        try (MessageLogger logger = MessageLogger.open(log)) {
            for (int i = 0; i < 100; i++) {
                append(logger);
            }
        }
        for (String suffix : new String[] {"", ".zip"}) {
            Path archive = directory.resolve("archive" + suffix);
            Path backup = directory.resolve("backup" + suffix);
            DiskArchive.at(archive).pack(log);
            DiskBackup.at(backup).take(log);
            assertThatExceptionOfType(UnsupportedFormatException.class)
                    .isThrownBy(() -> DiskBackup.at(archive).verify())
                    .withMessage("not a backup but an archive, file=MANIFEST; use archive --restore or archive --verify"
                            + " for it");
            assertThatExceptionOfType(UnsupportedFormatException.class)
                    .isThrownBy(() -> DiskArchive.at(backup).verify())
                    .withMessage("not an archive but a backup, file=MANIFEST; use restore, or backup --verify for it");
        }
    }
}
