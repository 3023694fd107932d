package io.persist.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.fuzz.control.ControlInput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The fuzzer, for some seconds in each build and for its share of a night: {@code -Dpersist.minutes} of
 * {@code -Pnightly}, or {@code -Dseconds}.
 */
class FuzzingTest {

    private static final Duration IN_BUILD = Duration.ofSeconds(2);

    /** It ends as soon as the fault is found, which a busy machine makes late. */
    private static final Duration FOR_CONTROL = Duration.ofMinutes(5);

    private static final long DEFAULT_MINUTES = 30;
    private static final int SHARE = 20;

    @BeforeEach
    void skipLoudly() {
        boolean isPossible = JazzerRun.isPossible();
        if (!isPossible) {
            System.out.println("SKIPPED FuzzingTest: Jazzer has no native library for " + System.getProperty("os.name")
                    + " on " + System.getProperty("os.arch") + "; the inputs that are kept were tried all the same");
        }
        assumeTrue(isPossible, "Jazzer has no native library for this platform");
    }

    private static Duration time() {
        Integer seconds = Integer.getInteger("seconds");
        if (seconds != null) {
            return Duration.ofSeconds(seconds);
        }
        if (!Boolean.getBoolean("persist.nightly")) {
            return IN_BUILD;
        }
        return Duration.ofMinutes(Long.getLong("persist.minutes", DEFAULT_MINUTES))
                .multipliedBy(SHARE)
                .dividedBy(100);
    }

    @Test
    void shouldFindNothing() throws Exception {
        List<String> flags = new ArrayList<>();
        String seed = System.getProperty("seed");
        if (seed != null) {
            flags.add("-seed=" + seed);
        }
        Duration time = time();
        JazzerRun run = JazzerRun.fuzz(time, List.of(), flags);
        if (run.exit() != 0) {
            throw new AssertionError(report(run));
        }
        List<String> counts = run.output().stream()
                .filter(line -> line.startsWith(Fuzzer.EXECUTIONS))
                .toList();
        System.out.println("FuzzingTest: " + run.executions() + " executions in " + time.toSeconds()
                + " s, nothing found, -Dseed=" + run.seed() + "; " + String.join(", ", counts));
        assertThat(counts).as("executions of each target").hasSize(Target.values().length);
        assertThat(run.executions()).isPositive();
    }

    private static String report(JazzerRun run) {
        return "the fuzzer has found something, exit code " + run.exit() + ", after " + run.executions()
                + " executions, -Dseed=" + run.seed() + "; repeat it with\n\n    mvn -pl persist-fuzz -am verify"
                + " -Dtest=CorpusTest -Dsurefire.failIfNoSpecifiedTests=false -Dinput=persist-fuzz/" + run.finding()
                + "\n\nand keep it by a copy in persist-fuzz/" + ImagesTest.RESOURCES.resolve("corpus") + "\n"
                + run.explanation();
    }

    /** Negative control: a fault that hides behind a comparison is found, reported and written to a file. */
    @Test
    @Tag("nightly")
    void shouldFindAPlantedFault() throws IOException, InterruptedException {
        JazzerRun run = JazzerRun.fuzz(FOR_CONTROL, List.of("-D" + ControlInput.PROPERTY + "=true"), List.of());
        assertThat(run.exit()).as("exit code").isNotZero();
        assertThat(report(run)).contains(ControlInput.MESSAGE, "-Dinput=persist-fuzz/target/fuzz/findings/crash-");
    }
}
