package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.bench.host.DirectoryTree;
import io.persist.bench.result.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log whose directory is a symbolic link is on the disk that the link leads to. */
class LinkedLogTest {

    private static final Path MEMORY = Path.of("/dev/shm");

    @TempDir
    Path directory;

    @Test
    void shouldLookAtTheDiskThatTheLogIsOn() throws IOException {
        assumeTrue(isInMemory(MEMORY) && !isInMemory(directory), "not two file systems");
        Path target = Files.createTempDirectory(MEMORY, "persist-linked-");
        try {
            Files.createDirectories(directory.resolve("logs"));
            Files.createSymbolicLink(directory.resolve("logs/messages"), target);

            String out = Program.small(directory, "-c", "5").out();

            assertThat(out).contains("Disk: tmpfs").contains("not known, tmpfs is in memory");
            assertThat(new RunDirectory(directory.resolve("output")).load().environment())
                    .hasEntrySatisfying("file system", text -> assertThat(text).contains("tmpfs"));
            assertThat(target).isDirectoryNotContaining("glob:**persist-doctor-*");
        } finally {
            DirectoryTree.delete(target);
        }
    }

    private static boolean isInMemory(Path path) throws IOException {
        return Files.isDirectory(path) && Files.getFileStore(path).type().equals("tmpfs");
    }
}
