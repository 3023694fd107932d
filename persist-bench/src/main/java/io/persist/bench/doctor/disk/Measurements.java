package io.persist.bench.doctor.disk;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that was measured of a directory.
 *
 * @param all in the order of the table
 * @param sequentialBytesPerSecond of some MiB written at once and synced
 */
public record Measurements(List<Measurement> all, double sequentialBytesPerSecond) {

    /** Null if the system refuses it, or it was not tried. */
    @Nullable
    public Measurement find(Operation operation, Space space) {
        for (Measurement each : all) {
            if (each.operation() == operation && each.space() == space && each.isMeasured()) {
                return each;
            }
        }
        return null;
    }
}
