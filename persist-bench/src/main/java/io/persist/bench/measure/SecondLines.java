package io.persist.bench.measure;

import io.persist.bench.latency.LatencySeries;
import io.persist.bench.latency.LatencyTable;
import io.persist.bench.result.Percentile;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Prints the latencies of each second, which are measured in shorter intervals.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class SecondLines {

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** The lines come before the table of all seconds, which says the unit again. */
    private static final String TITLE = "Latencies of each second in microseconds;"
            + " avg(d) is the average of that second, avg(o) of all until then:";

    private final PrintStream out;

    /** Of each series, since the last line. */
    private final List<Histogram> lately = new ArrayList<>();

    private List<LatencySeries> series = List.of();
    private long endNs;
    private long printedNs;
    private boolean isMarked;

    SecondLines(PrintStream out) {
        this.out = out;
    }

    /** An interval of all series has ended, so long after the start. */
    void add(long intervalEndNs, List<LatencySeries> measured) {
        if (series.isEmpty()) {
            out.println(TITLE);
            out.println(LatencyTable.intervalHeader(measured));
            measured.forEach(each -> lately.add(each.interval().copy()));
        } else {
            for (int i = 0; i < measured.size(); i++) {
                lately.get(i).add(measured.get(i).interval());
            }
        }
        series = measured;
        endNs = intervalEndNs;
        if (endNs - printedNs >= SECOND_NS) {
            print("%.0f");
        }
    }

    /** Prints what is left, and what the mark says, unless the table of all seconds is about to say it. */
    void end() {
        if (endNs > printedNs) {
            print("%.2f"); // a part of a second, which must not look like the whole one before it
        }
        if (isMarked && LatencyTable.legend(series).isEmpty()) {
            out.println(Percentile.LEGEND);
        }
    }

    private void print(String format) {
        String seconds = String.format(Locale.ROOT, format, endNs / 1e9);
        for (int i = 0; i < series.size(); i++) {
            String line = LatencyTable.interval(seconds, series.get(i), lately.get(i), series);
            isMarked |= LatencyTable.isMarked(line);
            out.println(line);
            lately.get(i).reset();
        }
        printedNs = endNs;
    }
}
