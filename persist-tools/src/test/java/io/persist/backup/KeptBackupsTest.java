package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import io.persist.support.Docs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a backup as docs/backups.md has them made, by the command that is printed there. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class KeptBackupsTest {

    private static final String PLACE = "/backup/LOG";

    @TempDir
    private Path folder;

    private static String printed() {
        return Docs.read("docs/backups.md")
                .lines()
                .filter(line -> line.startsWith("    cp -al " + PLACE + " "))
                .findFirst()
                .orElseThrow()
                .strip();
    }

    private static String sh(String command) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", command)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(shell.waitFor()).as(said).isZero();
            return said;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldBeBesideEachOtherThoughTheyAreOfOneDay() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("LOG")).resolve("control"), "first");
        String command = printed().replace(PLACE, folder.resolve("LOG").toString());
        sh(command);
        String then = sh("echo " + command);
        Await.until(
                "the next copy has another name", () -> !sh("echo " + command).equals(then));
        Files.delete(folder.resolve("LOG/control")); // as a run does, which writes to no file of before
        Files.writeString(folder.resolve("LOG/control"), "second");
        sh(command);
        List<String> copies = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "LOG.*")) {
            for (Path copy : found) {
                copies.add(Files.readString(copy.resolve("control")));
            }
        }
        assertThat(copies).containsExactlyInAnyOrder("first", "second");
    }
}
