package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/persist} in a checkout of its own, with a Java that shows its arguments and a Maven that makes a jar. */
@Timeout(60)
class LauncherTest {

    private static final String JAR = "libs/persist-bench-1.jar";

    @TempDir
    private Path folder;

    private Path checkout;

    @BeforeEach
    void checkOut() throws IOException {
        checkout = Files.createDirectories(folder.resolve("a checkout"));
        Files.createDirectory(checkout.resolve("bin"));
        Files.createDirectory(checkout.resolve("libs"));
        Files.copy(Path.of("../bin/persist"), checkout.resolve("bin/persist"));
        executable(checkout.resolve("bin/persist"));
        Files.createDirectories(folder.resolve("jdk/bin"));
        script(
                "jdk/bin/java",
                "[ \"$1\" != -version ] || { echo 'openjdk version \"17.0.1\"' >&2; exit; }",
                "echo \"$@\"");
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void script(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/usr/bin/env bash\n" + String.join("\n", lines) + "\n");
        executable(file);
    }

    private Process start(String name, String... variable) throws IOException {
        ProcessBuilder launcher = new ProcessBuilder("bin/persist", "verify", "x")
                .directory(checkout.toFile())
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .redirectError(folder.resolve(name + ".err").toFile());
        launcher.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        launcher.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        if (variable.length > 0) {
            launcher.environment().put(variable[0], variable[1]);
        }
        return launcher.start();
    }

    private void assertRan(Process launcher, String name) throws IOException, InterruptedException {
        assertThat(launcher.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(launcher.exitValue())
                .as(Files.readString(folder.resolve(name + ".err")))
                .isZero();
        assertThat(Files.readString(folder.resolve(name + ".out")))
                .isEqualTo("-cp " + checkout.toRealPath() + "/libs/* io.persist.bench.Main verify x\n");
    }

    @Test
    void shouldFindItsCheckoutWhateverCdpathIs() throws IOException, InterruptedException {
        Files.writeString(checkout.resolve(JAR), "jar");
        Files.createDirectories(folder.resolve("elsewhere/bin"));
        for (String cdpath :
                List.of(".", ":" + folder, folder.resolve("elsewhere").toString())) {
            assertRan(start("one", "CDPATH", cdpath), "one");
        }
    }

    /** The second one that comes would take away the jars that the first one begins to run with. */
    @Test
    void shouldBuildOnceForTwoFirstRuns() throws IOException, InterruptedException {
        script(
                "mvn",
                "echo built >> '" + folder + "/builds'",
                "for ((i = 0; i < 500; i++)); do grep -q Waiting '" + folder
                        + "/second.err' && break; sleep 0.02; done",
                "echo jar > " + JAR);
        Process first = start("first");
        while (!Files.exists(folder.resolve("builds"))) {
            assertThat(first.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        Process second = start("second");
        assertRan(first, "first");
        assertRan(second, "second");
        assertThat(Files.readString(folder.resolve("builds"))).isEqualTo("built\n");
    }

    @Test
    void shouldNotRunWhatCouldNotBeBuilt() throws IOException, InterruptedException {
        script("mvn", "exit 1");
        Process launcher = start("one");
        assertThat(launcher.waitFor()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("one.err"))).endsWith("persist: the build failed\n");
        assertThat(Files.readString(folder.resolve("one.out"))).isEmpty();
    }
}
