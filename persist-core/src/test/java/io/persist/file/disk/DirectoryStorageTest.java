package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.Storage.Access;
import io.persist.file.StorageContract;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.file.WriterLock;
import io.persist.support.ChildJvm;
import io.persist.support.Seeds;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DirectoryStorageTest extends StorageContract {

    private static final int OPENINGS = 2000;

    @TempDir
    Path directory;

    @Override
    protected Storage newStorage() throws IOException {
        return DirectoryStorage.create(directory);
    }

    @AfterEach
    void lowerInterruptFlag() {
        Thread.interrupted();
    }

    // ---- links

    @Test
    void shouldGiveAFileANameInAnotherDirectory() throws IOException {
        Files.writeString(directory.resolve("file"), "text");
        DirectoryStorage from = DirectoryStorage.open(directory);
        DirectoryStorage to = DirectoryStorage.create(directory.resolve("inner"));
        from.link("file", to);
        assertThat(to.identity("file")).isEqualTo(from.identity("file"));
        assertThatIOException().isThrownBy(() -> from.link("file", to)).withMessageContaining("it exists already");
        from.delete("file");
        assertThat(directory.resolve("inner/file")).hasContent("text");
        assertThatIOException()
                .isThrownBy(() -> from.deleteDirectory("inner"))
                .withMessageContaining("the directory is not empty");
        to.delete("file");
        from.deleteDirectory("inner");
        assertThat(from.list()).isEmpty();
    }

    // ---- the directory

    @Test
    void shouldMakeTheDirectoryAndItsParents() throws IOException {
        Path deep = directory.resolve("a/b/c");
        assertThat(DirectoryStorage.create(deep).list()).isEmpty();
        assertThat(deep).isDirectory();
        assertThat(DirectoryStorage.create(deep).description())
                .isEqualTo(deep.toRealPath().toString());
    }

    /** By its letters {@code current/../log} would be beside the link: a new and empty log, and no error. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldGoWhereTheOperatingSystemGoesFromALink() throws IOException {
        Path real = directory.toRealPath();
        Files.createDirectories(directory.resolve("a/b"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a/b"));

        assertThat(DirectoryStorage.create(link.resolve("../log")).description())
                .isEqualTo(real.resolve("a/log").toString());
        assertThat(directory.resolve("a/log")).isDirectory();
        assertThat(directory.resolve("log")).doesNotExist();
        assertThat(DirectoryStorage.open(link.resolve("../log/../b/.")).description())
                .isEqualTo(real.resolve("a/b").toString());
        assertThat(DirectoryStorage.create(link.resolve("new/../../x/..")).description())
                .as("where nothing is, there is no link")
                .isEqualTo(real.resolve("a").toString());
        assertThat(RealPath.plain(Path.of("/../a/./x/..").toAbsolutePath())).isEqualTo(Path.of("/a"));
        assertThat(RealPath.of(Path.of("x"))).isEqualTo(Path.of("").toRealPath().resolve("x"));
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), Path.of("none"));
        assertThatIOException()
                .isThrownBy(() -> DirectoryStorage.create(dangling.resolve("../y")))
                .withMessageContaining("dangling: no such file or directory;");
        assertThat(directory.resolve("y")).doesNotExist();
    }

    /** The name of the directory is in the one above it, and not where the link is. */
    @Test
    void shouldSyncTheNameOfADirectoryThatALinkLeadsTo() throws IOException {
        Files.createDirectories(directory.resolve("a/b"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a/b"));
        List<Path> synced = new ArrayList<>();
        DirectoryStorage.create(link, synced::add);
        assertThat(synced).containsExactly(directory.toRealPath().resolve("a"));
    }

    /** A power cut would take a name that is not synced, and all below it. */
    @Test
    void shouldSyncTheNamesOfAllDirectoriesThatItMakes() throws IOException {
        Files.createFile(directory.resolve("file"));
        Path deep = directory.resolve("a/b/c");
        assertThat(DirectoryStorage.directoriesToSync(deep))
                .containsExactly(directory.resolve("a/b"), directory.resolve("a"), directory);
        List<Path> synced = new ArrayList<>();
        DirectoryStorage.create(deep, above -> {
            assertThat(deep).as("made before").isDirectory();
            synced.add(above);
        });
        assertThat(synced).containsExactly(directory.resolve("a/b"), directory.resolve("a"), directory);
        Path beside = directory.resolve("a/b/d/e");
        assertThat(DirectoryStorage.directoriesToSync(beside))
                .containsExactly(directory.resolve("a/b/d"), directory.resolve("a/b"));
    }

    /** Who made it may have been killed before it synced the name. */
    @Test
    void shouldSyncTheNameOfADirectoryThatIsStillEmpty() throws IOException {
        Path empty = Files.createDirectories(directory.resolve("a/b"));
        assertThat(DirectoryStorage.directoriesToSync(empty)).containsExactly(directory.resolve("a"));
        Files.createFile(empty.resolve("file"));
        assertThat(DirectoryStorage.directoriesToSync(empty)).isEmpty();
        assertThat(DirectoryStorage.directoriesToSync(Path.of("/"))).isEmpty();
    }

    @Test
    void shouldNotOpenADirectoryThatDoesNotExist() {
        Path missing = directory.resolve("missing");
        assertThatExceptionOfType(FileNotFoundException.class)
                .isThrownBy(() -> DirectoryStorage.open(missing))
                .withMessageContaining("no such directory: " + missing);
        assertThat(missing).doesNotExist();
    }

    @Test
    void shouldNotMakeAFileAgainThatIsTakenAwayWhileItIsOpened() throws Exception {
        Storage storage = newStorage();
        Path file = directory.resolve("segment");
        AtomicInteger started = new AtomicInteger();
        AtomicInteger deleted = new AtomicInteger();
        Thread deleter = new Thread(() -> {
            for (int round = 1; round <= OPENINGS; round++) {
                while (started.get() < round) {
                    Thread.yield();
                }
                for (int i = 0; i < round % 200 * 4; i++) {
                    Thread.onSpinWait(); // so that it comes at each moment of the opening
                }
                assertThat(file.toFile().delete()).isTrue();
                deleted.set(round);
            }
        });
        Files.write(file, new byte[8]);
        deleter.setDaemon(true); // should this thread fail
        deleter.start();
        for (int round = 1; round <= OPENINGS; round++) {
            started.set(round);
            try {
                storage.open("segment", Access.WRITE).close();
            } catch (FileNotFoundException gone) {
                assertThat(gone).hasMessageContaining("segment");
            }
            while (deleted.get() < round) {
                Thread.yield();
            }
            assertThat(file).as("round %d", round).doesNotExist();
            Files.write(file, new byte[8]);
        }
        deleter.join();
    }

    @Test
    void shouldRefuseAFileInPlaceOfTheDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "mine");
        assertThatIOException()
                .isThrownBy(() -> DirectoryStorage.create(file))
                .withMessageContaining("not a directory: " + file);
        assertThatIOException()
                .isThrownBy(() -> DirectoryStorage.open(file))
                .withMessageContaining("not a directory: " + file);
        assertThatIOException().isThrownBy(() -> DirectoryStorage.create(file.resolve("below")));
        assertThat(file).hasContent("mine");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void shouldRefuseADanglingSymbolicLink() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));
        assertThatIOException().isThrownBy(() -> DirectoryStorage.create(link));
        assertThatIOException().isThrownBy(() -> DirectoryStorage.open(link));
        assertThat(directory.resolve("nowhere")).doesNotExist();
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void shouldRefuseADirectoryItCannotWriteTo() throws IOException {
        Path locked = Files.createDirectory(directory.resolve("locked"));
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            boolean superuser = Files.isWritable(locked);
            if (superuser) {
                System.err.println("SKIPPED: shouldRefuseADirectoryItCannotWriteTo, because root may write anywhere");
            }
            assumeThat(superuser).as("root may write anywhere").isFalse();
            assertThatIOException()
                    .isThrownBy(() -> DirectoryStorage.create(locked))
                    .withMessageContaining("not writable");
            assertThat(DirectoryStorage.open(locked).list()).isEmpty();
        } finally {
            Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void shouldListWhateverIsThere() throws IOException {
        Files.createDirectory(directory.resolve("00000000000000000000.log"));
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));
        write("a", "content");
        assertThat(storage.list()).containsExactlyInAnyOrder("a", "link", "00000000000000000000.log");
    }

    @Test
    void shouldNotOpenADirectoryNamedLikeASegment() throws IOException {
        Files.createDirectory(directory.resolve("00000000000000000000.log"));
        for (Access access : Access.values()) {
            assertThatIOException()
                    .isThrownBy(() -> storage.open("00000000000000000000.log", access))
                    .withMessageContaining("not a regular file");
        }
        assertThatIOException().isThrownBy(() -> storage.create("00000000000000000000.log"));
    }

    // ---- the lock

    @Test
    void shouldExcludeAnotherStorageOfTheSameDirectory() throws IOException {
        Path link = directory.resolveSibling(directory.getFileName() + "-link");
        Files.createSymbolicLink(link, directory);
        try (WriterLock lock = storage.tryLock("lock")) {
            assertThat(lock).isNotNull();
            assertThat(DirectoryStorage.create(directory).tryLock("lock")).isNull();
            assertThat(DirectoryStorage.create(directory.resolve("x/..")).tryLock("lock"))
                    .isNull();
            assertThat(DirectoryStorage.open(link).tryLock("lock")).isNull();
        } finally {
            Files.delete(link);
        }
        DirectoryStorage.create(directory).tryLock("lock").close();
    }

    @Test
    void shouldExcludeAnotherProcessAndBeExcludedByIt() throws Exception {
        try (ChildJvm other = LockProcess.start(directory)) {
            assertThat(other.ask("lock")).isEqualTo("locked");
            assertThat(storage.tryLock("lock")).isNull();
            assertThat(storage.tryLock("lock")).isNull();
            assertThat(other.ask("unlock")).isEqualTo("unlocked");

            WriterLock lock = storage.tryLock("lock");
            assertThat(lock).isNotNull();
            assertThat(other.ask("lock")).isEqualTo("refused");
            lock.close();
            assertThat(other.ask("lock")).isEqualTo("locked");
        }
    }

    @Test
    void shouldBeFreeAtOnceWhenTheHolderIsKilled() throws Exception {
        try (ChildJvm other = LockProcess.start(directory)) {
            assertThat(other.ask("lock")).isEqualTo("locked");
            assertThat(storage.tryLock("lock")).isNull();
            other.kill();
            try (WriterLock lock = storage.tryLock("lock")) {
                assertThat(lock).isNotNull();
            }
        }
    }

    @Test
    void shouldKeepTheLockWhileOtherFilesAreOpenedAndClosed() throws Exception {
        try (ChildJvm other = LockProcess.start(directory);
                WriterLock lock = storage.tryLock("lock")) {
            assertThat(lock).isNotNull();
            write("a", "12345678");
            for (int i = 0; i < 1_000; i++) {
                try (StorageFile file = storage.open("a", i % 2 == 0 ? Access.READ : Access.WRITE);
                        Mapping mapping = file.map(8)) {
                    assertThat(mapping.buffer().get(0)).isEqualTo((byte) '1');
                }
                storage.list();
                storage.syncDirectory();
                assertThat(storage.tryLock("lock")).isNull();
            }
            assertThat(other.ask("lock")).isEqualTo("refused");
        }
    }

    @Test
    void shouldKeepTheLockWhenTheHoldersThreadIsInterrupted() throws Exception {
        try (ChildJvm other = LockProcess.start(directory)) {
            Thread.currentThread().interrupt();
            try (WriterLock lock = storage.tryLock("lock")) {
                assertThat(lock).isNotNull();
                write("a", "12345678");
                storage.syncDirectory();
                assertThat(Thread.interrupted()).isTrue();
                assertThat(other.ask("lock")).isEqualTo("refused");
            }
        }
    }

    // ---- interrupts

    @Test
    void shouldNotBeHarmedByAnInterrupt() throws IOException {
        try (StorageFile file = storage.create("a")) {
            Thread.currentThread().interrupt();
            file.write(0, ascii("12345678"), 0, 8, WriteThrough.NONE);
            file.write(0, ascii("abc"), 0, 3, WriteThrough.DATA);
            file.write(4, ascii("ABC"), 0, 3, WriteThrough.ALL);
            file.sync();
            assertThat(file.read(0, new byte[8], 0, 8)).isEqualTo(8);
            try (Mapping mapping = file.map(8)) {
                mapping.buffer().put(7, (byte) '!');
                mapping.force(0, 8);
            }
            storage.create("b").close();
            storage.rename("b", "c");
            storage.delete("c");
            storage.syncDirectory();
            assertThat(storage.list()).containsExactly("a");
            assertThat(storage.usableBytes()).isPositive();
            WriterLock lock = storage.tryLock("lock");
            assertThat(lock).isNotNull();
            lock.close();

            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            file.sync();
        }
        assertThat(read("a")).isEqualTo("abc4ABC!");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldNotBeHarmedByInterruptsAtAnyMoment() throws Exception {
        write("a", "12345678");
        Thread worker = Thread.currentThread();
        Random random = new Random(Seeds.seed());
        Thread interrupter = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                worker.interrupt();
                for (int pause = random.nextInt(20_000); pause > 0; pause--) {
                    Thread.onSpinWait();
                }
            }
        });
        interrupter.start();
        try {
            for (int i = 0; i < 300; i++) {
                try (StorageFile file = storage.open("a", Access.WRITE);
                        Mapping mapping = file.map(8);
                        WriterLock lock = storage.tryLock("lock")) {
                    assertThat(lock).isNotNull();
                    mapping.buffer().putInt(0, i);
                    mapping.force(0, 8);
                    file.sync();
                    storage.syncDirectory();
                }
            }
        } finally {
            interrupter.interrupt();
            while (interrupter.isAlive()) {
                Thread.interrupted();
                try {
                    interrupter.join();
                } catch (InterruptedException once) {
                    continue;
                }
            }
            Thread.interrupted();
        }
    }

    // ---- unmapping

    /** A mapping opens the file once more. */
    @Test
    void shouldSayThatAFileIsGoneWhenItIsToBeMapped() throws IOException {
        Storage storage = newStorage();
        storage.create("file").close();
        try (StorageFile file = storage.open("file", Access.READ)) {
            storage.delete("file");
            assertThatExceptionOfType(FileNotFoundException.class)
                    .isThrownBy(() -> file.map(1))
                    .withMessageContaining("no such file: ");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldUnmapWhenClosed() throws IOException {
        write("mapped-file", "12345678");
        try (StorageFile file = storage.open("mapped-file", Access.WRITE)) {
            Mapping first = file.map(8);
            Mapping second = file.map(8);
            assertThat(timesMapped("mapped-file")).isEqualTo(2);
            first.close();
            assertThat(timesMapped("mapped-file")).isEqualTo(1);
            second.close();
            assertThat(timesMapped("mapped-file")).isZero();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveNoDescriptorsOpen() throws IOException {
        write("a", "12345678");
        openAndClose();
        Set<String> before = openFilesHere();
        for (int i = 0; i < 100; i++) {
            openAndClose();
        }
        assertThat(openFilesHere()).isEqualTo(before).isEmpty();
    }

    private void openAndClose() throws IOException {
        try (StorageFile file = storage.open("a", Access.WRITE);
                Mapping mapping = file.map(8);
                WriterLock lock = storage.tryLock("lock")) {
            assertThat(lock).isNotNull();
            assertThat(storage.tryLock("lock")).isNull();
            mapping.force(0, 8);
            file.write(0, ascii("x"), 0, 1, WriteThrough.DATA);
            file.write(0, ascii("x"), 0, 1, WriteThrough.ALL);
            storage.syncDirectory();
            assertThatIOException().isThrownBy(() -> file.map(9));
            assertThatIOException().isThrownBy(() -> storage.open("missing", Access.READ));
        }
    }

    private Set<String> openFilesHere() throws IOException {
        Set<String> open = new TreeSet<>();
        try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    String target = Files.readSymbolicLink(descriptor).toString();
                    if (target.startsWith(directory.toRealPath().toString())) {
                        open.add(descriptor + " " + target);
                    }
                } catch (IOException closedMeanwhile) {
                    continue;
                }
            }
        }
        return open;
    }

    private static long timesMapped(String name) throws IOException {
        try (BufferedReader maps = Files.newBufferedReader(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            return maps.lines().filter(line -> line.endsWith("/" + name)).count();
        }
    }

    @Test
    void shouldSayWhyItIsNotKnownHowMuchSpaceThereIs() throws IOException {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        DirectoryStorage storage = DirectoryStorage.open(gone);
        assertThat(storage.usableBytes()).isPositive();
        Files.delete(gone);
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(storage::usableBytes)
                .withMessageContaining("no such file or directory");
    }

    // ---- another file takes the name of one that is open

    @ParameterizedTest
    @EnumSource(
            value = WriteThrough.class,
            names = {"DATA", "ALL"})
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void shouldNotWriteThroughToAFileThatHasTakenTheName(WriteThrough how) throws IOException {
        Storage storage = newStorage();
        byte[] zeros = new byte[8];
        try (StorageFile file = storage.create("file")) {
            file.write(0, zeros, 0, zeros.length, WriteThrough.NONE);
            Files.move(directory.resolve("file"), directory.resolve("moved"));
            Files.write(directory.resolve("file"), zeros);
            assertThatExceptionOfType(FileNotFoundException.class)
                    .isThrownBy(() -> file.write(0, new byte[] {1}, 0, 1, how))
                    .withMessageStartingWith("file was deleted, renamed or replaced while it was open: ");
            assertThat(directory.resolve("file")).hasBinaryContent(zeros);
            Files.delete(directory.resolve("file"));
            Files.move(directory.resolve("moved"), directory.resolve("file"));
            file.write(0, new byte[] {1}, 0, 1, how);
        }
        assertThat(directory.resolve("file")).hasBinaryContent(new byte[] {1, 0, 0, 0, 0, 0, 0, 0});
    }
}
