package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.support.ChildJvm;
import io.persist.support.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lock does that {@link DirectoryStorageTest} and other storages' tests do not ask for. */
class ProcessLockTest {

    private static final String REGISTERED = "io.persist.lock.";

    @TempDir
    Path directory;

    private Storage storage;

    @BeforeEach
    void open() throws IOException {
        storage = DirectoryStorage.create(directory);
    }

    private static Set<String> registered() {
        Set<String> names = new TreeSet<>(System.getProperties().stringPropertyNames());
        names.removeIf(name -> !name.startsWith(REGISTERED));
        return names;
    }

    @Test
    void shouldBeRegisteredAsLongAsItIsHeld() throws IOException {
        Set<String> before = registered();
        WriterLock lock = storage.tryLock("lock");
        assertThat(registered()).hasSize(before.size() + 2);
        assertThat(storage.lockedHere("lock"))
                .contains("pid=" + ProcessHandle.current().pid())
                .contains("thread=" + Thread.currentThread().getName())
                .contains("directory=" + directory.toRealPath());
        assertThat(storage.tryLock("lock")).isNull();
        lock.close();
        assertThat(registered()).isEqualTo(before);
        assertThat(storage.lockedHere("lock")).isEmpty();
    }

    /** As a program does that replaces all system properties. */
    @Test
    void shouldBeKeptWhenNobodyRemembersWhoHasIt() throws IOException {
        Set<String> before = registered();
        try (ChildJvm other = LockProcess.start(directory);
                WriterLock lock = storage.tryLock("lock")) {
            assertThat(lock).isNotNull();
            registered().stream().filter(name -> !before.contains(name)).forEach(System::clearProperty);
            for (int i = 0; i < 3; i++) {
                assertThat(storage.tryLock("lock")).isNull();
                assertThat(other.ask("lock")).isEqualTo("refused");
            }
            assertThat(Resources.of(directory.toRealPath()).descriptors())
                    .as("the lock's, and one that cannot be closed, however often it was tried")
                    .hasSize(2);
        }
        try (WriterLock free = storage.tryLock("lock")) {
            assertThat(free).isNotNull();
        }
        assertThat(Resources.of(directory.toRealPath()).descriptors()).isEmpty();
    }

    @Test
    void shouldTellWhetherItsFileStillHasItsName() throws IOException {
        Path file = directory.resolve("lock");
        Path elsewhere = directory.resolve("elsewhere");
        try (WriterLock lock = storage.tryLock("lock")) {
            assertThat(lock.isInPlace()).isTrue();
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
            assertThat(lock.isInPlace()).as("touched").isTrue();
            Files.move(file, elsewhere);
            assertThat(lock.isInPlace()).as("renamed").isFalse();
            Files.createFile(file);
            assertThat(lock.isInPlace()).as("replaced").isFalse();
            Files.delete(file);
            Files.move(elsewhere, file);
            assertThat(lock.isInPlace()).as("brought back").isTrue();
        }
    }
}
