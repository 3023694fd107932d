package io.persist.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.latency.LatencySeries;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecondLinesTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final SecondLines lines = new SecondLines(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    private final LatencySeries series = LatencySeries.inMemory("write");

    @Test
    void shouldPrintALinePerSecondOfShorterIntervals() throws IOException {
        addIntervals(1, 24);
        lines.end();

        // Each interval has as many values as its number.
        assertThat(printed())
                .satisfiesExactly(
                        line -> assertThat(line).contains("microseconds", "avg(d)", "avg(o)"),
                        line -> assertThat(line).startsWith("interval "),
                        line -> assertThat(line).matches("write 1 s +55 .*"),
                        line -> assertThat(line).matches("write 2 s +155 .*"),
                        line -> assertThat(line).matches("write 2.40 s +90 .*"));
    }

    @Test
    void shouldPrintNothingTwice() throws IOException {
        addIntervals(1, 10);
        lines.end();

        assertThat(printed()).hasSize(3);
    }

    @Test
    void shouldPrintNothingWithoutAnInterval() {
        lines.end();

        assertThat(printed()).isEmpty();
    }

    /** Of a million values each percentile has its own; of the few in a second the high ones are the maximum. */
    @Test
    void shouldSayWhatTheMarkMeansIfNoTableDoes() throws IOException {
        for (int i = 0; i < 1_000_000; i++) {
            series.record(1000);
        }
        series.endInterval(0, 1);
        lines.add(1_000_000_000L, List.of(series));
        addIntervals(11, 20);
        lines.end();

        assertThat(printed())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Latencies of each second"),
                        line -> assertThat(line).startsWith("interval "),
                        line -> assertThat(line)
                                .matches("write 1 s +1000000 .*")
                                .doesNotContain("*"),
                        line -> assertThat(line).matches("write 2 s +155 .*").contains("*"),
                        line -> assertThat(line).startsWith("* the maximum: "));
    }

    private void addIntervals(int first, int last) throws IOException {
        for (int number = first; number <= last; number++) {
            series.beginInterval();
            for (int i = 0; i < number; i++) {
                series.record(1000);
            }
            series.endInterval(number / 10.0 - 0.1, number / 10.0);
            lines.add(number * 100_000_000L, List.of(series));
        }
    }

    private List<String> printed() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
