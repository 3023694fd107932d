package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        return start(name, List.of("verify", "x"), variable);
    }

    private Process start(String name, List<String> arguments, String... variable) throws IOException {
        ProcessBuilder launcher = launcher(name, arguments);
        if (variable.length > 0) {
            launcher.environment().put(variable[0], variable[1]);
        }
        return launcher.start();
    }

    private ProcessBuilder launcher(String name, List<String> arguments) {
        ProcessBuilder launcher = new ProcessBuilder(Stream.concat(Stream.of("bin/persist"), arguments.stream())
                        .toList())
                .directory(checkout.toFile())
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .redirectError(folder.resolve(name + ".err").toFile());
        launcher.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        launcher.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        return launcher;
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

    @Test
    void shouldRunAJavaWhoseFolderHasAnEqualsSign() throws IOException, InterruptedException {
        Files.writeString(checkout.resolve(JAR), "jar");
        Path home = folder.resolve("jdk=17");
        Files.move(folder.resolve("jdk"), home);
        assertRan(start("one", "JAVA_HOME", home.toString()), "one");
    }

    /** Programs know a used-up quota by what the system says. */
    @ParameterizedTest
    @CsvSource({"LC_ALL, de_DE.UTF-8, de_DE.UTF-8", "LC_MESSAGES, de_DE.UTF-8, ''", "LC_ALL, '', ''"})
    void shouldHaveTheSystemSpeakEnglish(String variable, String locale, String characters) throws Exception {
        Files.writeString(checkout.resolve(JAR), "jar");
        script(
                "jdk/bin/java",
                "[ \"$1\" != -version ] || { echo 'openjdk version \"17.0.1\"' >&2; exit; }",
                "echo \"all=${LC_ALL:-} characters=${LC_CTYPE:-} messages=${LC_MESSAGES:-}\"");
        ProcessBuilder launcher = launcher("one", List.of("verify", "x"));
        launcher.environment().keySet().removeIf(name -> name.startsWith("LC_"));
        launcher.environment().put(variable, locale);
        assertThat(launcher.start().waitFor()).isZero();
        assertThat(Files.readString(folder.resolve("one.out")))
                .isEqualTo("all= characters=" + characters + " messages=C\n");
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

    /** As after a pull. */
    @Test
    void shouldSayThatTheSourcesAreNewerThanWhatRuns() throws IOException, InterruptedException {
        Files.writeString(checkout.resolve(JAR), "jar");
        Path built = checkout.resolve("libs");
        Path sources = Files.createDirectories(checkout.resolve("persist-core/src/main/java"));
        Path source = Files.writeString(sources.resolve("A.java"), "class A {}");
        FileTime time = Files.getLastModifiedTime(built);
        Files.setLastModifiedTime(source, time);
        assertRan(start("same"), "same");
        assertThat(folder.resolve("same.err")).isEmptyFile();

        Files.setLastModifiedTime(source, FileTime.fromMillis(time.toMillis() + 1000));
        assertRan(start("newer"), "newer");
        assertThat(folder.resolve("newer.err"))
                .content()
                .startsWith("persist: the sources have changed since this was built")
                .hasLineCount(1);
    }

    /** It is in the repository of the user that has built it, and that may have been cleaned. */
    @ParameterizedTest
    @CsvSource({
        "jmh, persist-peers, peers",
        "workflow, persist-peers, peers",
        "compare-peers, persist-peers, peers",
        "rows, persist-peers, peers",
        "cache, persist-peers, peers",
        "memcached, persist-memcached, memcached",
        "kafka, persist-kafka-bench, kafka",
        "shards, persist-shard-bench, shards",
        "jcstress, persist-jcstress, jcstress"
    })
    void shouldSayWhatOfTheClassPathCannotBeRead(String program, String module, String classPath)
            throws IOException, InterruptedException {
        Path target = checkout.resolve(module).resolve("target");
        Path classes = Files.createDirectories(target.resolve("classes")).toRealPath();
        Path there = Files.writeString(folder.resolve("there it is.jar"), "jar");
        Path gone = folder.resolve("*.jar");
        Files.writeString(target.resolve(classPath + ".classpath"), there + ":" + gone);

        Process launcher = start("one", List.of(program, "x"));
        assertThat(launcher.waitFor()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("one.err")))
                .isEqualTo("persist: " + gone + " cannot be read; run \"mvn -DskipTests package\" as this user in "
                        + checkout.toRealPath() + "\n");
        assertThat(Files.readString(folder.resolve("one.out"))).isEmpty();

        Files.writeString(gone, "jar");
        launcher = start("two", List.of(program, "x"));
        assertThat(launcher.waitFor())
                .as(Files.readString(folder.resolve("two.err")))
                .isZero();
        assertThat(Files.readString(folder.resolve("two.out")))
                .contains("-cp " + classes + ":" + there + ":" + gone + " ")
                .endsWith(" x\n");
    }

    /** What is not built has no page, and is not built for it. */
    @Test
    void shouldPrintTheManualPageOfAllThatIsBuilt() throws IOException, InterruptedException {
        Files.writeString(checkout.resolve(JAR), "jar");
        Path target = checkout.resolve("persist-kafka-bench/target");
        Files.createDirectories(target.resolve("classes"));
        Path there = Files.writeString(folder.resolve("kafka.jar"), "jar");
        Files.writeString(target.resolve("kafka.classpath"), there.toString());

        Process launcher = start("one", List.of("man"));
        assertThat(launcher.waitFor())
                .as(Files.readString(folder.resolve("one.err")))
                .isZero();
        Path root = checkout.toRealPath();
        assertThat(Files.readString(folder.resolve("one.out")))
                .isEqualTo("-cp " + root + "/libs/*:" + root + "/persist-kafka-bench/target/classes:" + there
                        + " io.persist.bench.Main man\n");
    }
}
