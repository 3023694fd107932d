package io.persist.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyRecorderTest {

    private static final LatencyRow UNPACED = LatencyRow.of(Operation.MESSAGE, -1, false);
    private static final LatencyRow PACED = LatencyRow.of(Operation.MESSAGE, 1000, false);

    @TempDir
    Path directory;

    @Test
    void shouldWriteOneBigEndianIntPerOperationInOrder() throws IOException {
        try (LatencySeries series = LatencySeries.withFiles("write", directory)) {
            series.record(1);
            series.record(258);
            series.record(Integer.MAX_VALUE + 1L);
        }

        assertThat(Files.readAllBytes(directory.resolve("latencies.write.bin")))
                .containsExactly(0, 0, 0, 1, 0, 0, 1, 2, 0x7f, 0xff, 0xff, 0xff);
    }

    @Test
    void shouldRecordEveryRowOfAllSeries() throws IOException {
        int count = 300_000;
        List<LatencySeries> series =
                List.of(LatencySeries.withFiles("write", directory), LatencySeries.withFiles("response", directory));
        try (LatencyRecorder recorder = LatencyRecorder.start(series, PACED, LatencyRecorder.Listener.NONE)) {
            for (int i = 0; i < count; i++) {
                recorder.ring(0).put(0, i);
                recorder.ring(0).put(1, 2L * i);
                recorder.ring(0).publish();
            }
        }

        assertThat(series.get(0).total().getTotalCount()).isEqualTo(count);
        ByteBuffer write = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("latencies.write.bin")));
        ByteBuffer response = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("latencies.response.bin")))
                .order(ByteOrder.BIG_ENDIAN);
        assertThat(write.remaining()).isEqualTo(4 * count);
        for (int i = 0; i < count; i++) {
            assertThat(write.getInt()).isEqualTo(i);
            assertThat(response.getInt()).isEqualTo(2 * i);
        }
    }

    @Test
    void shouldWriteAHistogramLogThatAddsUpToTheTotal() throws IOException {
        List<LatencySeries> series = List.of(LatencySeries.withFiles("write", directory));
        try (LatencyRecorder recorder = LatencyRecorder.start(series, UNPACED, LatencyRecorder.Listener.NONE)) {
            for (int i = 1; i <= 1000; i++) {
                recorder.ring(0).put(0, i * 1000L);
                recorder.ring(0).publish();
            }
        }

        Histogram sum = new Histogram(3);
        try (HistogramLogReader reader =
                new HistogramLogReader(directory.resolve("latencies.write.hlog").toFile())) {
            while (reader.hasNext()) {
                sum.add((Histogram) reader.nextIntervalHistogram());
            }
        }
        assertThat(sum.getTotalCount()).isEqualTo(1000);
        assertThat(sum.getMaxValue()).isEqualTo(series.get(0).total().getMaxValue());
        assertThat(sum.getValueAtPercentile(50)).isBetween(499_000L, 501_000L);
    }

    @Test
    void shouldReportAFileThatCannotBeWrittenAndRecordOn() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        List<LatencySeries> series =
                List.of(LatencySeries.withValues("write", new LatencyFile(full, Files.newOutputStream(full))));
        LatencyRecorder recorder = LatencyRecorder.start(series, UNPACED, LatencyRecorder.Listener.NONE);
        for (int i = 0; i < 1_000_000; i++) {
            recorder.ring(0).put(0, i);
            recorder.ring(0).publish();
        }

        recorder.close();
        assertThatThrownBy(series.get(0)::checkFiles)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot write /dev/full (No space left on device); ");
        assertThat(series.get(0).total().getTotalCount()).isEqualTo(1_000_000);
    }

    @Test
    void shouldKeepItsRingsFreeAndSayWhyIfItCannotGoOn() {
        CountDownLatch told = new CountDownLatch(1);
        RuntimeException failure = new IllegalStateException("the output is closed");
        LatencyRecorder.Listener failing = new LatencyRecorder.Listener() {
            @Override
            public void onProgress(long rows) {
                throw failure;
            }

            @Override
            public void onInterval(long endNs, List<LatencySeries> series) {}

            @Override
            public void onFailure() {
                told.countDown();
            }
        };
        LatencyRecorder recorder = LatencyRecorder.start(
                List.of(LatencySeries.inMemory("write")), UNPACED, failing.and(LatencyRecorder.Listener.NONE));
        // More than all rings hold together.
        for (int i = 0; i < 1_000_000; i++) {
            recorder.ring(0).put(0, i);
            recorder.ring(0).publish();
        }

        assertThatThrownBy(recorder::close).isSameAs(failure);
        assertThat(told.getCount()).isZero();
    }

    @Test
    void shouldTellTheListenerHowManyRowsThereAre() throws IOException {
        List<Long> progress = new ArrayList<>();
        List<Long> intervals = new ArrayList<>();
        LatencyRecorder.Listener listener = new LatencyRecorder.Listener() {
            @Override
            public void onProgress(long rows) {
                progress.add(rows);
            }

            @Override
            public void onInterval(long endNs, List<LatencySeries> series) {
                intervals.add(series.get(0).interval().getTotalCount());
            }
        };
        try (LatencyRecorder recorder =
                LatencyRecorder.start(List.of(LatencySeries.inMemory("write")), UNPACED, listener)) {
            for (int i = 0; i < 10; i++) {
                recorder.ring(0).put(0, i);
                recorder.ring(0).publish();
            }
        }

        assertThat(progress).last().isEqualTo(10L);
        assertThat(intervals.stream().mapToLong(Long::longValue).sum()).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "999, 10", "1000, 100", "59999, 100", "60000, 1000", "360000, 1000"})
    void shouldEndIntervalsTheMoreOftenTheYoungerTheRunIs(long sinceStartMs, long intervalMs) {
        assertThat(LatencyRecorder.intervalNs(sinceStartMs * 1_000_000)).isEqualTo(intervalMs * 1_000_000);
    }

    @Test
    void shouldFindOutTheDurableLatenciesOfAllLoops() throws IOException {
        LatencyRow row = LatencyRow.of(Operation.MESSAGE, -1, true);
        FakeClock clock = new FakeClock(0);
        PositionTimes times = new PositionTimes(clock, 0);
        PositionLatencies durable = new PositionLatencies(times, new ClockCost(1, 5), 3);
        List<LatencySeries> series =
                List.of(LatencySeries.withFiles("hand-off", directory), LatencySeries.withFiles("durable", directory));
        try (LatencyRecorder recorder =
                LatencyRecorder.start(series, row, 3, List.of(durable), LatencyRecorder.Listener.NONE)) {
            for (int i = 0; i < 3000; i++) {
                LatencyRing ring = recorder.ring(i % 3);
                ring.put(0, 7);
                ring.put(row.position(), i + 1);
                ring.put(row.start(), i);
                ring.publish();
            }
            clock.advance(10_000);
            times.onPosition(3000);
        }

        assertThat(series.get(0).total().getTotalCount()).isEqualTo(3000);
        assertThat(series.get(1).total().getTotalCount()).isEqualTo(3000);
        int[] latencies = new int[3000];
        ByteBuffer.wrap(Files.readAllBytes(directory.resolve("latencies.durable.bin")))
                .asIntBuffer()
                .get(latencies);
        Arrays.sort(latencies);
        assertThat(latencies).startsWith(10_000 - 5 - 2999).endsWith(10_000 - 5);
    }

    @Test
    void shouldWaitForSpaceInTheRing() throws InterruptedException {
        LatencyRing ring = new LatencyRing(1, 4);
        List<Long> drained = new ArrayList<>();
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                ring.put(0, i);
                ring.publish();
            }
        });
        producer.start();
        while (drained.size() < 1000) {
            ring.drain((series, latencyNs) -> drained.add(latencyNs));
        }
        producer.join();

        assertThat(drained).hasSize(1000).isSorted().first().isEqualTo(0L);
        assertThat(ring.waits()).isPositive();
    }
}
