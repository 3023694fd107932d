package io.persist.bench.result;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** What half of some values are below. */
public final class Median {

    private Median() {}

    /** The middle one; of an even number of values the mean of the two; empty if there is none. */
    public static OptionalDouble of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = sorted.length / 2;
        return Arrays.stream(sorted, sorted.length % 2 == 1 ? middle : middle - 1, middle + 1)
                .average();
    }
}
