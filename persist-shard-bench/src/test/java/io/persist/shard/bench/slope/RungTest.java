package io.persist.shard.bench.slope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RungTest {

    @Test
    void shouldCompareEachWithTheFirst() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Rung.print(
                List.of(
                        new Rung(0, new long[] {1_000, 1_000, 4_000}, 50_000),
                        new Rung(10_000, new long[] {2_000, 2_000, 2_000}, 60_000)),
                new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("""
                | states | n | mean µs | p50 µs | p95 µs | p99 µs | max µs | open µs | p50 to the first |
                |---|---|---|---|---|---|---|---|---|
                | 0 | 3 | 2.0 | 1.0 | 4.0 | 4.0 | 4.0 | 50.0 | 1.00 |
                | 10,000 | 3 | 2.0 | 2.0 | 2.0 | 2.0 | 2.0 | 60.0 | 2.00 |
                """);
    }
}
