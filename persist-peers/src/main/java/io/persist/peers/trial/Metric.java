package io.persist.peers.trial;

import java.util.Locale;

/** A number that a trial leads to. */
public enum Metric {
    RATE("ops/s"),
    P50("p50 us"),
    P99("p99 us"),
    P999("p99.9 us"),
    MAX("max us"),
    THREAD_BYTES("thread B/op"),
    JVM_BYTES("JVM B/op"),
    OPEN_MS("open ms"),
    LOG_MIB("log MiB");

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
            case RATE -> String.format(Locale.ROOT, "%,d", Math.round(value));
            case P50, P99, P999, MAX, OPEN_MS -> String.format(Locale.ROOT, value < 1000 ? "%.2f" : "%.0f", value);
            case THREAD_BYTES, JVM_BYTES -> String.format(Locale.ROOT, "%.1f", value);
            case LOG_MIB -> String.format(Locale.ROOT, "%.0f", value);
        };
    }
}
