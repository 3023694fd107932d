package io.persist.shard.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.result.Percentile;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoopLinesTest {

    /** By default there are 60 batches. */
    @Test
    void shouldMarkAPercentileOfTooFewValues() {
        Histogram few = new Histogram(3);
        for (int i = 1; i <= 60; i++) {
            few.recordValue(i * 1_000_000L);
        }
        assertThat(LoopLines.table(Map.of("durable", few)))
                .contains(Percentile.LEGEND)
                .anyMatch(line -> line.matches(
                        "\\| durable \\| 60 \\| 30\\.0\\d \\| 5\\d\\.\\d+ \\| 60\\.0\\d\\* \\| 60\\.0\\d \\|"));
        for (int i = 0; i < 100; i++) {
            few.recordValue(1_000_000);
        }
        assertThat(LoopLines.table(Map.of("durable", few))).doesNotContain(Percentile.LEGEND);
    }
}
