package io.persist.bench.doctor.disk;

import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The values of one operation: those of its probe, or none because the system refuses it. */
final class Series implements AutoCloseable {

    private static final int DIGITS = 3;

    private final Operation operation;
    private final Space space;
    private final @Nullable Probe probe;
    private final @Nullable String refusal;
    private final Histogram histogram = new Histogram(DIGITS);

    private Series(Operation operation, Space space, @Nullable Probe probe, @Nullable String refusal) {
        this.operation = operation;
        this.space = space;
        this.probe = probe;
        this.refusal = refusal;
    }

    static Series of(Operation operation, Space space, Probe probe) {
        return new Series(operation, space, probe, null);
    }

    static Series refused(Operation operation, Space space, String refusal) {
        return new Series(operation, space, null, refusal);
    }

    /** Measures so many more. */
    void run(int times) throws IOException {
        if (probe == null) {
            return;
        }
        for (int i = 0; i < times; i++) {
            long startNs = System.nanoTime();
            probe.run();
            histogram.recordValue(System.nanoTime() - startNs);
        }
        probe.settle();
    }

    Measurement measurement() {
        return refusal == null
                ? Measurement.of(operation, space, histogram)
                : Measurement.refused(operation, space, refusal);
    }

    @Override
    public void close() throws IOException {
        if (probe != null) {
            probe.close();
        }
    }
}
