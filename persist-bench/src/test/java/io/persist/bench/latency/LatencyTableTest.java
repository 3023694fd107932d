package io.persist.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatencyTableTest {

    @Test
    void shouldShowTheKnownDistribution() throws IOException {
        // 1, 2, 3 ... 1,000,000 ns: percentile p is p times 10,000 ns, within the histogram's three digits.
        LatencySeries series = LatencySeries.inMemory("write");
        for (int i = 1; i <= 1_000_000; i++) {
            series.record(i);
        }
        series.endInterval(0, 1);

        List<String> lines = LatencyTable.total(List.of(series));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).split("  +"))
                .containsExactly(
                        "metric",
                        "# iterations",
                        "50%ile",
                        "75%ile",
                        "90%ile",
                        "99%ile",
                        "99.9%ile",
                        "99.99%ile",
                        "99.999%ile",
                        "99.9999%ile",
                        "max",
                        "avg");
        String[] cells = lines.get(1).split(" +");
        assertThat(cells[0]).isEqualTo("write");
        assertThat(cells[1]).isEqualTo("1000000");
        double[] expected = {500, 750, 900, 990, 999, 999.9, 999.99, 1000, 1000, 500};
        for (int i = 0; i < expected.length; i++) {
            assertThat(Double.parseDouble(cells[i + 2])).isCloseTo(expected[i], Percentage.withPercentage(0.1));
            assertThat(cells[i + 2]).matches("\\d+\\.\\d\\d");
        }
    }

    @Test
    void shouldAlignTheColumnsWithin120Characters() throws IOException {
        LatencySeries fast = LatencySeries.inMemory("write");
        LatencySeries slow = LatencySeries.inMemory("response");
        for (int i = 0; i < 1_000_000; i++) {
            fast.record(i % 100);
            slow.record(100L * i);
        }
        fast.endInterval(0, 1);
        slow.endInterval(0, 1);

        List<String> lines = LatencyTable.total(List.of(fast, slow));

        assertThat(lines).extracting(String::length).containsOnly(lines.get(0).length());
        assertThat(lines.get(0).length()).isLessThanOrEqualTo(120);
    }

    @Test
    void shouldShowTheIntervalAndTheOverallAverage() throws IOException {
        LatencySeries series = LatencySeries.inMemory("write");
        series.record(1000);
        series.endInterval(0, 1);
        series.beginInterval();
        series.record(3000);
        series.endInterval(1, 2);

        String header = LatencyTable.intervalHeader(List.of(series));
        String line = LatencyTable.interval("2", series, series.interval(), List.of(series));

        assertThat(header).endsWith("avg(d)  avg(o)").hasSameSizeAs(line).hasSizeLessThanOrEqualTo(120);
        assertThat(line).startsWith("write 2 s");
        String[] cells = line.split(" {2,}");
        assertThat(cells[cells.length - 2]).isEqualTo("3.00");
        assertThat(cells[cells.length - 1]).isEqualTo("2.00");
    }
}
