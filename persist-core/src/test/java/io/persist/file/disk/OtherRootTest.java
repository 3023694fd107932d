package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.file.Storage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory is reached by the root of a process that has another one, as in another container. */
@Timeout(60)
class OtherRootTest {

    @TempDir
    private Path folder;

    /** Nothing here has its name there: the link {@code /proc/PID/root} says that it leads to {@code /}. */
    @Test
    void shouldLeadToTheDirectoryOfTheOtherRoot() throws IOException, InterruptedException {
        Path jail = Files.createDirectories(folder.resolve("jail"));
        Files.createDirectory(jail.resolve("old"));
        String name = "logs-of-another-root";
        Files.writeString(Files.createDirectory(jail.resolve(name)).resolve("a"), "a");
        Process inside = new ProcessBuilder(
                        "unshare",
                        "--map-root-user",
                        "--mount",
                        "sh",
                        "-c",
                        "mount --bind . . && cd \"$PWD\" && PATH=$PATH:/usr/sbin:/sbin pivot_root . old"
                                + " && echo ready && read line")
                .directory(jail.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = inside.inputReader()) {
            assumeTrue("ready".equals(out.readLine()), "needs Linux, and to be allowed a mount namespace");
            Path logs = Path.of("/proc/" + inside.pid() + "/root/" + name);
            assertThat(Files.exists(logs)).isTrue();
            Storage storage = DirectoryStorage.open(logs);
            assertThat(storage.list()).containsExactly("a");
            assertThat(RealPath.of(logs)).isEqualTo(logs);
        } finally {
            inside.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }
}
