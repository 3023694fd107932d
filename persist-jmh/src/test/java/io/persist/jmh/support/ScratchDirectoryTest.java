package io.persist.jmh.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a benchmark wrote goes, whatever ends it, and it says so before if there is too little space. */
class ScratchDirectoryTest {

    private static final long EXBIBYTE = 1L << 60;

    @TempDir
    Path parent;

    @BeforeEach
    void setParent() {
        System.setProperty(ScratchDirectory.PARENT_PROPERTY, parent.toString());
    }

    @AfterEach
    void clearParent() {
        System.clearProperty(ScratchDirectory.PARENT_PROPERTY);
    }

    private static void write(ScratchDirectory directory) throws IOException {
        Files.createDirectories(directory.path().resolve("a/b"));
        Files.write(directory.path().resolve("a/b/file"), new byte[1000]);
    }

    private Stream<Path> left() throws IOException {
        return Files.list(parent);
    }

    @Test
    void shouldDeleteAllWhenItIsClosed() throws IOException {
        try (ScratchDirectory directory = ScratchDirectory.create(1000)) {
            write(directory);
            assertThat(directory.path()).isNotEmptyDirectory();
        }
        try (Stream<Path> left = left()) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldSayThatThereIsTooLittleSpaceAndMakeNothing() throws IOException {
        assertThatThrownBy(() -> ScratchDirectory.create(EXBIBYTE))
                .isInstanceOf(ScratchDirectory.NoSpaceException.class)
                .hasMessageStartingWith("not enough space in " + parent + ": needed=1099511627840 MiB, usable=")
                .hasMessageEndingWith(" MiB; free some, or name another directory by -Dpersist.jmh.dir=DIRECTORY");
        try (Stream<Path> left = left()) {
            assertThat(left).isEmpty();
        }
    }

    /** A process that ends without closing its directory, as one that is interrupted does. */
    static final class Leaver {

        public static void main(String[] args) throws IOException {
            ScratchDirectory directory = ScratchDirectory.create(1000);
            write(directory);
            System.out.print(Files.exists(directory.path().resolve("a/b/file")));
            System.exit(3);
        }
    }

    @Test
    void shouldDeleteAllWhenTheProcessEnds() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-D" + ScratchDirectory.PARENT_PROPERTY + "=" + parent.resolve("not/there"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Leaver.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(output).isEqualTo("true");
        try (Stream<Path> left = left()) {
            assertThat(left).isEmpty();
        }
    }
}
