package io.persist.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class MedianTest {

    @Test
    void shouldTakeTheMiddleOrTheMeanOfTheTwo() {
        assertThat(Median.of(DoubleStream.of(9, 1, 5))).hasValue(5);
        assertThat(Median.of(DoubleStream.of(9, 1, 5, 6))).hasValue(5.5);
        assertThat(Median.of(DoubleStream.of(3))).hasValue(3);
        assertThat(Median.of(DoubleStream.empty())).isEmpty();
    }
}
