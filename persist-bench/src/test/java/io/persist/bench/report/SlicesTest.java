package io.persist.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlicesTest {

    @Test
    void shouldPutWholeIntervalsTogetherUntilASliceIsLongEnough() {
        Slices<long[]> slices = slices(25);
        for (int i = 0; i < 6; i++) {
            slices.add(10 * i, 10 * i + 10, new long[] {1});
        }

        assertThat(slices.rows()).containsExactly(List.of(0L, 30L, 3L), List.of(30L, 60L, 3L));
    }

    @Test
    void shouldKeepIntervalsThatAreLongEnough() {
        Slices<long[]> slices = slices(10);
        slices.add(0, 10, new long[] {1});
        slices.add(10, 40, new long[] {2});
        slices.add(40, 70, new long[] {3});

        assertThat(slices.rows()).containsExactly(List.of(0L, 10L, 1L), List.of(10L, 40L, 2L), List.of(40L, 70L, 3L));
    }

    @Test
    void shouldMakeAShortEndPartOfWhatIsBeforeIt() {
        Slices<long[]> slices = slices(0);
        slices.add(0, 10, new long[] {1});
        slices.add(10, 20, new long[] {2});
        slices.add(20, 24, new long[] {4});

        assertThat(slices.rows()).containsExactly(List.of(0L, 10L, 1L), List.of(10L, 24L, 6L));
    }

    @Test
    void shouldKeepAnEndThatIsNotMuchShorter() {
        Slices<long[]> slices = slices(10);
        slices.add(0, 10, new long[] {1});
        slices.add(10, 15, new long[] {2});

        assertThat(slices.rows()).containsExactly(List.of(0L, 10L, 1L), List.of(10L, 15L, 2L));
    }

    @Test
    void shouldBeEmptyWithoutIntervals() {
        assertThat(slices(1).rows()).isEmpty();
    }

    private static Slices<long[]> slices(long minLengthNs) {
        return new Slices<>(minLengthNs, (sum, other) -> sum[0] += other[0], sum -> List.of(sum[0]));
    }
}
