package io.persist.tool.stats;

import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/** The form in which ARCUS tells numbers. */
public final class ArcusForm {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private ArcusForm() {}

    /** Seconds with three decimals. */
    public static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 1e9);
    }

    /** A time in UTC, which is given in ms since 1970; 0 if it is 0. */
    public static String time(long ms) {
        return ms == 0 ? "0" : TIME.format(Instant.ofEpochMilli(ms));
    }

    /** Whole MiB as ARCUS has them, or else with three decimals. */
    public static String megabytes(long bytes) {
        long whole = bytes >> 20;
        return whole << 20 == bytes ? Long.toString(whole) : String.format(Locale.ROOT, "%.3f", bytes / 1048576.0);
    }

    /** Prints {@code stats} as ARCUS answers with them. */
    public static void print(Map<String, String> stats, PrintStream out) {
        stats.forEach((name, value) -> out.print("STAT " + name + " " + value + "\n"));
        out.print("END\n");
    }
}
