package io.persist.shard.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BenchTableTest {

    private static Measured measured(String set, Benchmark benchmark, String backend, long countedNs, long... ns) {
        Histogram histogram = new Histogram(3);
        for (long each : ns) {
            histogram.recordValue(each);
        }
        return new Measured(set, benchmark, backend, histogram, countedNs);
    }

    @Test
    void shouldShowWhatMaterializeHasPublishedBesideIt() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BenchTable.print(
                List.of(
                        measured("small", Benchmark.WRITES, "mem", 4_000, 1_000, 2_000),
                        measured("small", Benchmark.WRITE_TO_LISTEN, "file", 30_000, 1_000, 1_000, 2_000),
                        measured("small", Benchmark.CAS_PER_CPU, "given", 1_000, 1_000),
                        measured("throughput", Benchmark.WRITES, "mem", 1_000, 1_000)),
                new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("""
                | sizes | benchmark | backend | n | p50 µs | p95 µs | p99 µs | max µs | mean µs | Materialize |
                |---|---|---|---|---|---|---|---|---|---|
                | small | writes | mem | 2 | 1.00 | 2.00* | 2.00* | 2.00 | 2.00 | < 1 ms |
                | small | write-to-listen | file | 3 | 1.00 | 2.00* | 2.00* | 2.00 | 10.00 | 6.4 ms with PostgreSQL |
                | small | cas-per-cpu | given | 1 | 1.00* | 1.00* | 1.00* | 1.00 | 1.00 |  |
                | throughput | writes | mem | 1 | 1.00* | 1.00* | 1.00* | 1.00 | 1.00 |  |

                * the maximum: there are too few values for this percentile.
                The mean of writes and write-to-listen has the making of the shard in it, as Materialize's figures have.
                Its 5.1 ms are a listener in memory that looks every 4 ms; a listener here is told.
                """);
    }
}
