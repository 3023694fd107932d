package io.persist.jmh.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.jmh.support.ScratchDirectory;
import io.persist.log.Durability;
import io.persist.log.WaitStrategy;
import io.persist.log.WriteMode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;

class CommitBenchmarkTest {

    @TempDir
    Path directory;

    @BeforeEach
    void setDirectory() {
        System.setProperty(ScratchDirectory.PARENT_PROPERTY, directory.toString());
    }

    @AfterEach
    void clearDirectory() {
        System.clearProperty(ScratchDirectory.PARENT_PROPERTY);
    }

    static Stream<CommitBenchmark> benchmarks() {
        return Stream.of(new MessageCommitBenchmark(), new PacketCommitBenchmark(), new StoreCommitBenchmark());
    }

    /** Else the queue fills up, and the hand-off's latency is that of the writer thread. */
    @ParameterizedTest
    @MethodSource("benchmarks")
    void shouldLetTheWriterThreadCatchUpOutsideOfTheTime(CommitBenchmark benchmark) throws Exception {
        benchmark.durability = Durability.BUFFERED;
        benchmark.writeMode = WriteMode.MAPPED;
        benchmark.writer = CommitBenchmark.Writer.DETACHED;
        benchmark.payload = 64;
        benchmark.waitStrategy = WaitStrategy.BLOCKING;
        benchmark.openFirst(latency());
        try {
            for (int round = 0; round < 10; round++) {
                long end = benchmark.position();
                for (int i = 1; i < CommitBenchmark.CATCH_UP_INTERVAL; i++) {
                    benchmark.catchUp();
                    end = benchmark.latency();
                }
                benchmark.catchUp();
                assertThat(benchmark.position()).isEqualTo(end);
                benchmark.latency();
            }
        } finally {
            benchmark.close(); // and not its end as a trial, which fails where the filler was late
        }
    }

    private static BenchmarkParams latency() {
        TimeValue time = TimeValue.seconds(1);
        IterationParams none = new IterationParams(IterationType.MEASUREMENT, 1, time, 1);
        return new BenchmarkParams(
                "latency",
                "latency",
                true,
                1,
                new int[] {1},
                List.of(),
                0,
                0,
                none,
                none,
                Mode.SampleTime,
                new WorkloadParams(),
                TimeUnit.MICROSECONDS,
                1,
                "",
                List.of(),
                "",
                "",
                "",
                "",
                time);
    }
}
