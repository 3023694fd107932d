package io.persist.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every stress test with jcstress's own command line: interpreted, with each compiler, and with the orders of its
 * instructions shuffled at random. Each has a JVM of its own.
 */
class EveryCompilerTest {

    /** 3 forks of 5 times 300 ms for each kind of compilation: half an hour on 2 CPUs. */
    private static final List<String> ARGUMENTS =
            List.of("-m", "default", "-sc", "false", "-fsm", "2", "-iters", "5", "-time", "300");

    private static final long LIMIT_MINUTES = 90;

    @Test
    @Tag("nightly")
    void shouldShowOnlyWhatIsAllowedWithEveryCompiler() throws IOException, InterruptedException {
        assertThat(run("nightly", ARGUMENTS)).isZero();
    }

    /** Negative control: the command line fails if a test does. No test is called so. */
    @Test
    void shouldFailIfJcstressDoes() throws IOException, InterruptedException {
        assertThat(run("refused", List.of("-m", "no such mode"))).isNotZero();
    }

    /** Runs jcstress in another JVM and in a folder of its own, where its results stay; returns its exit code. */
    private static int run(String name, List<String> arguments) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of("target", "jcstress", name));
        File output = folder.resolve("output.txt").toFile();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
            assertThat(ended)
                    .as("ended after " + LIMIT_MINUTES + " minutes, see " + output)
                    .isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
