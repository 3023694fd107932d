package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.BootId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperatingSystemTest {

    @TempDir
    Path directory;

    @Test
    void shouldHaveTheSameBootId() {
        assertThat(OperatingSystem.bootId()).isEqualTo(OperatingSystem.bootId());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKnowTheBootOfLinux() {
        assertThat(OperatingSystem.bootId()).isNotEqualTo(BootId.UNKNOWN);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKnowTheFileSystemOfADirectory() throws IOException {
        String type = Files.getFileStore(directory).type();
        assertThat(OperatingSystem.fileSystem(directory)).isEqualTo(type).isNotEmpty();
        assertThat(DirectoryStorage.create(directory.resolve("log")).fileSystem())
                .isEqualTo(type);
        assertThat(OperatingSystem.fileSystem(Path.of("/proc"))).isEqualTo("proc");
    }

    @Test
    void shouldKnowNothingOfADirectoryThatIsNotThere() {
        assertThat(OperatingSystem.fileSystem(directory.resolve("none"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuseblk", "virtiofs", "ceph", "lustre"})
    void shouldKnowWhatOthersKeep(String type) {
        assertThat(OperatingSystem.isRemote(type)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "tmpfs", "overlay", "fusectl", ""})
    void shouldTellLocalFileSystemsApart(String type) {
        assertThat(OperatingSystem.isRemote(type)).isFalse();
    }
}
