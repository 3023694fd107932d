package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** No benchmark with an engine of others is broken: each runs for a moment, and deletes what it wrote. */
class BenchmarksTest {

    private static final Path DIRECTORY = Path.of("target", "jmh-test");
    private static final int LOG_MIB = 16;

    private static final String[] ALL = {
        "DisruptorProducersBenchmark.disruptor",
        "StateReadBenchmark.get",
        "StateReadBenchmark.scan100",
        "StateWriteBenchmark.put",
        "StateWriteBenchmark.put10",
        "StateWriteBenchmark.deleteAndPut",
    };

    @BeforeEach
    void setProperties() {
        assertThat(LogBenchmark.LOG_LENGTH >> 20)
                .as(LogBenchmark.LENGTH_PROPERTY)
                .isEqualTo(LOG_MIB);
        System.setProperty(ScratchDirectory.PARENT_PROPERTY, DIRECTORY.toString());
        System.setProperty("jmh.ignoreLock", "true"); // what this measures is not looked at
    }

    @AfterEach
    void clearProperties() throws IOException {
        System.clearProperty(ScratchDirectory.PARENT_PROPERTY);
        System.clearProperty("jmh.ignoreLock");
        try (Stream<Path> left = Files.list(DIRECTORY)) {
            assertThat(left).isEmpty();
        }
    }

    /** The others on the class path are tested in their own module. */
    private static ChainedOptionsBuilder moment() {
        return new OptionsBuilder()
                .include("io.persist.peers")
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .forks(0)
                .param("payload", "64")
                .param("producers", "2")
                .param("keys", "1000")
                .param("valueLength", "100");
    }

    private static Set<String> run(ChainedOptionsBuilder options) throws RunnerException {
        return new Runner(options.build())
                .run().stream()
                        .map(result -> result.getParams().getBenchmark())
                        .map(name -> name.replaceFirst(".*\\.(.*\\.)", "$1"))
                        .collect(Collectors.toSet());
    }

    @Test
    void shouldRunEachBenchmark() throws RunnerException {
        assertThat(run(moment().param("durability", "FLUSHED"))).containsExactlyInAnyOrder(ALL);
    }

    @Test
    @Tag("nightly")
    void shouldRunEachBenchmarkWithEachParameter() throws RunnerException {
        assertThat(run(moment())).containsExactlyInAnyOrder(ALL);
    }
}
