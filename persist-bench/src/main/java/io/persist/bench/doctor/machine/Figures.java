package io.persist.bench.doctor.machine;

import java.util.Locale;

/** How numbers read in what the doctor says, where it differs from {@link io.persist.command.Text}. */
public final class Figures {

    private Figures() {}

    /** A time in the unit that suits it, as 4.2 us, 95 us, 1.2 ms, 24 ms. */
    public static String time(double ns) {
        boolean millis = ns >= 999_500;
        double value = millis ? ns / 1e6 : ns / 1e3;
        return String.format(Locale.ROOT, value < 9.95 ? "%.1f %s" : "%,.0f %s", value, millis ? "ms" : "us");
    }

    /** For tables: microseconds with one decimal. */
    public static String micros(double ns) {
        return String.format(Locale.ROOT, "%.1f", ns / 1e3);
    }

    /** A number of which only the first two digits mean anything, as 12,000. */
    public static String about(double value) {
        double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1));
        return String.format(Locale.ROOT, "%,d", Math.round(Math.round(value / unit) * unit));
    }

    /** As 1 CPU, 8 CPUs. */
    public static String cpus(int count) {
        return count + (count == 1 ? " CPU" : " CPUs");
    }

    /** As 2 or 0.5. */
    public static String decimal(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }
}
