package io.persist.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.ScratchDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** No benchmark is broken: each runs for a moment, with few keys and short logs, and deletes what it wrote. */
class BenchmarksTest {

    private static final Path DIRECTORY = Path.of("target", "jmh-test");
    private static final int LOG_MIB = 16;

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

    private static ChainedOptionsBuilder moment() {
        return new OptionsBuilder()
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .param("payload", "64")
                .param("producers", "2")
                .param("keys", "1000")
                .param("valueLength", "100")
                .param("segmentLength", Integer.toString(1 << 20));
    }

    /** All benchmarks that there are. */
    private static Set<String> all() {
        return BenchmarkList.defaultList()
                .find(
                        OutputFormatFactory.createFormatInstance(
                                new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
                                VerboseMode.SILENT),
                        List.of(".*"),
                        List.of())
                .stream()
                .map(BenchmarkListEntry::getUsername)
                .collect(Collectors.toSet());
    }

    private static Set<String> ran(Collection<RunResult> results) {
        return results.stream().map(result -> result.getParams().getBenchmark()).collect(Collectors.toSet());
    }

    /** With one value of each parameter, the one that takes the longer way. */
    @Test
    void shouldRunEachBenchmark() throws RunnerException {
        Options once = moment().forks(0)
                .param("durability", "FLUSHED")
                .param("writeMode", "FILE")
                .param("readMode", "FILE")
                .param("writer", "DETACHED")
                .param("end", "CLOSED")
                .param("direct", "true")
                .param("reader", "MAPPED")
                .build();

        Collection<RunResult> results = new Runner(once).run();

        assertThat(all()).hasSizeGreaterThan(30);
        assertThat(ran(results)).isEqualTo(all());
    }

    @Test
    @Tag("nightly")
    void shouldRunEachBenchmarkWithEachParameter() throws RunnerException {
        Collection<RunResult> results = new Runner(moment().forks(0).build()).run();

        assertThat(ran(results)).isEqualTo(all());
    }
}
