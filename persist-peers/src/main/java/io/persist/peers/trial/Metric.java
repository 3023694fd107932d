package io.persist.peers.trial;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A number that a trial leads to. */
public enum Metric {
    RATE("ops/s"),
    FIRST_RATE("first ops/s"),
    LATER_RATE("later ops/s"),
    SLOWEST_SECOND("min 1/s"),
    MEDIAN_SECOND("median 1/s"),
    FASTEST_SECOND("max 1/s"),
    P50("p50 us"),
    P99("p99 us"),
    P999("p99.9 us"),
    P9999("p99.99 us"),
    MAX("max us"),
    STALL_MS("stall ms"),
    CLOSE_S("close s"),
    SYNC_S("sync s"),
    SYNCED_RATE("synced ops/s"),
    DEVICE_BYTES("device B/B"),
    CPU_S("CPU s/M"),
    THREAD_BYTES("thread B/op"),
    JVM_BYTES("JVM B/op"),
    OPEN_MS("open ms"),
    LOG_MIB("log MiB");

    /** Those of latencies, by how many percent of these are no larger. */
    static final Map<Metric, Double> PERCENTILES = Map.of(P50, 50.0, P99, 99.0, P999, 99.9, P9999, 99.99);

    /** What the table of a sustained load shows. */
    static final List<Metric> SUSTAINED = List.of(
            RATE,
            FIRST_RATE,
            LATER_RATE,
            SLOWEST_SECOND,
            MEDIAN_SECOND,
            FASTEST_SECOND,
            P99,
            P9999,
            MAX,
            STALL_MS,
            CLOSE_S,
            SYNC_S,
            DEVICE_BYTES,
            CPU_S);

    private final String heading;

    Metric(String heading) {
        this.heading = heading;
    }

    /** Its name with the unit, as in the head of a table. */
    public String heading() {
        return heading;
    }

    /** Its name without the unit. */
    public String shortName() {
        return heading.endsWith(" us") || heading.endsWith(" ms")
                ? heading.substring(0, heading.length() - 3)
                : heading;
    }

    /** As a table shows it. */
    public String format(double value) {
        return switch (this) {
            case RATE, FIRST_RATE, LATER_RATE, SLOWEST_SECOND, MEDIAN_SECOND, FASTEST_SECOND, SYNCED_RATE ->
                String.format(Locale.ROOT, "%,d", Math.round(value));
            case P50, P99, P999, P9999, MAX, OPEN_MS ->
                String.format(Locale.ROOT, value < 1000 ? "%.2f" : "%.0f", value);
            case THREAD_BYTES, JVM_BYTES, STALL_MS -> String.format(Locale.ROOT, "%.1f", value);
            case CLOSE_S, SYNC_S, DEVICE_BYTES, CPU_S -> String.format(Locale.ROOT, "%.2f", value);
            case LOG_MIB -> String.format(Locale.ROOT, "%.0f", value);
        };
    }
}
