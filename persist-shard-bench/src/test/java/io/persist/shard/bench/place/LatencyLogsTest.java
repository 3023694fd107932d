package io.persist.shard.bench.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.bench.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyLogsTest {

    private static final Instant START = Instant.ofEpochSecond(1_000_000);

    @TempDir
    Path directory;

    private static Histogram second(int second, long... values) {
        Histogram histogram = new Histogram(3);
        for (long value : values) {
            histogram.recordValue(value);
        }
        histogram.setStartTimeStamp(1000L * second);
        histogram.setEndTimeStamp(1000L * second + 1000);
        return histogram;
    }

    /** One that is stopped in the middle leaves its latencies beside no record of another run. */
    @Test
    void shouldForgetTheRunBefore() throws IOException {
        RunOutput output = RunOutput.take("shard", directory, List.of());
        try (ShardRuns runs = new ShardRuns(output, new RunFiles("shard", List.of(), Map.of()), START)) {
            runs.write(
                    new ShardRuns.Measured("mem", Map.of(), 1, 1, Map.of(), List.of(), List.of()), Map.of(), directory);
            RunDirectory run = new RunDirectory(directory.resolve("shard-mem"));
            assertThat(run.hasResult()).isTrue();

            runs.logs("mem", directory).close();

            assertThat(run.hasResult()).isFalse();
        }
    }

    @Test
    void shouldWriteASeriesWhileTheRunGoesOn() throws IOException {
        try (LatencyLogs logs = new LatencyLogs(directory, START)) {
            logs.add("handed over", second(0, 20_000));
            logs.add("handed over", second(1));
            logs.add("handed over", second(2, 30_000, 80_000_000));
            logs.add("read", second(2));
            assertThat(logs.series())
                    .containsExactly(new RunResult.Series("handed over", "latencies.handed-over.hlog"));
        }
        List<Histogram> read = new ArrayList<>();
        try (HistogramLogReader log = new HistogramLogReader(
                directory.resolve("latencies.handed-over.hlog").toFile())) {
            for (EncodableHistogram next = log.nextIntervalHistogram();
                    next != null;
                    next = log.nextIntervalHistogram()) {
                read.add((Histogram) next);
            }
        }
        assertThat(read).containsExactly(second(0, 20_000), second(2, 30_000, 80_000_000));
        assertThat(read).extracting(Histogram::getStartTimeStamp).containsExactly(0L, 2_000L);
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(1); // none of what was never read
        }
    }
}
