package io.persist.shard.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PackedHistogramsTest {

    private static final int SECONDS = 100;

    /** A run of ten minutes keeps three for each second, in a heap of 256 MB. */
    @Test
    void shouldKeepManyInLittleMemory() {
        PackedHistograms packed = new PackedHistograms();
        List<Histogram> plain = new ArrayList<>();
        for (int second = 0; second < SECONDS; second++) {
            Histogram histogram = new Histogram(3);
            histogram.recordValue(20_000 + second);
            histogram.recordValue(80_000_000L + second);
            histogram.setStartTimeStamp(1000L * second);
            histogram.setEndTimeStamp(1000L * second + 1000);
            packed.add(histogram);
            plain.add(histogram);
        }
        assertThat(packed).containsExactlyElementsOf(plain);
        assertThat(packed)
                .extracting(Histogram::getStartTimeStamp)
                .containsExactlyElementsOf(
                        plain.stream().map(Histogram::getStartTimeStamp).toList());
        assertThat(packed)
                .extracting(Histogram::getEndTimeStamp)
                .containsExactlyElementsOf(
                        plain.stream().map(Histogram::getEndTimeStamp).toList());
        assertThat(packed.bytes()).isLessThan(SECONDS * 1000L);
        assertThat(plain.get(0).getEstimatedFootprintInBytes()).isGreaterThan(50_000);
    }
}
