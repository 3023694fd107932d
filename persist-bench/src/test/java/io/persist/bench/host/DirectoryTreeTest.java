package io.persist.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTreeTest {

    @Test
    void shouldAddUpTheFilesOfAllFolders(@TempDir Path directory) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("a/b"));
        Files.write(directory.resolve("one"), new byte[100]);
        Files.write(folder.resolve("two"), new byte[23]);

        assertThat(DirectoryTree.bytes(directory)).isEqualTo(123);
        assertThat(DirectoryTree.bytes(directory.resolve("one"))).isEqualTo(100);
        assertThat(DirectoryTree.bytes(directory.resolve("none"))).isZero();
    }
}
