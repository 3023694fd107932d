package io.persist.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every stress test with jcstress's own command line: interpreted, with each compiler, and with the orders of its
 * instructions shuffled at random. Each has a JVM of its own.
 */
class EveryCompilerTest {

    /** 5 times 300 ms in each of the 5 to 10 JVMs for a test: half an hour on 2 CPUs. */
    private static final List<String> ARGUMENTS =
            List.of("-m", "default", "-sc", "false", "-fsm", "2", "-iters", "5", "-time", "300");

    private static final long LIMIT_MINUTES = 90;

    private static final Pattern RESULTS = Pattern.compile("\\(Results: (\\d+) planned; (\\d+) passed,");

    @Test
    @Tag("nightly")
    void shouldShowOnlyWhatIsAllowedWithEveryCompiler() throws IOException, InterruptedException {
        String output = run(ARGUMENTS);
        assertThat(allPassed(output)).as(output).isTrue();
    }

    /** Negative control: an output that does not say that all was run and passed is no success. */
    @Test
    void shouldRecogniseWhatHasNotPassed() {
        String first = "(Results: 450 planned; 1 passed, 0 failed, 0 soft errs, 0 hard errs)\n";
        assertThat(allPassed(first + first.replace(" 1 ", " 450 "))).isTrue();

        assertThat(allPassed(first)).isFalse();
        assertThat(allPassed("FATAL: No matching tests.")).isFalse();
        assertThat(allPassed(first.replace("450", "0").replace(" 1 ", " 0 "))).isFalse();
    }

    /** jcstress counts while it runs, so the last line is what came out. */
    private static boolean allPassed(String output) {
        Matcher results = RESULTS.matcher(output);
        int planned = 0;
        int passed = 0;
        while (results.find()) {
            planned = Integer.parseInt(results.group(1));
            passed = Integer.parseInt(results.group(2));
        }
        return planned > 0 && passed == planned;
    }

    /** Runs jcstress in another JVM and in a folder where its results stay; returns what it prints. */
    private static String run(List<String> arguments) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of("target", "jcstress"));
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
            assertThat(ended)
                    .as("ended in %d minutes, see %s", LIMIT_MINUTES, output)
                    .isTrue();
            assertThat(process.exitValue()).as("exit code, see %s", output).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }
}
