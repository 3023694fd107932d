package io.persist.bench.measure;

import io.persist.bench.latency.LatencySeries;
import io.persist.bench.latency.LatencyTable;
import io.persist.bench.result.Percentile;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Prints the latencies of each second, which are measured in shorter intervals.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class SecondLines {

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

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
            print();
        }
    }

    /** Prints what is left, and what the mark says, unless the table of all seconds is about to say it. */
    void end() {
        if (endNs > printedNs) {
            print();
        }
        if (isMarked && LatencyTable.legend(series).isEmpty()) {
            out.println(Percentile.LEGEND);
        }
    }

    private void print() {
        for (int i = 0; i < series.size(); i++) {
            String line = LatencyTable.interval(endNs / 1e9, series.get(i), lately.get(i), series);
            isMarked |= LatencyTable.isMarked(line);
            out.println(line);
            lately.get(i).reset();
        }
        printedNs = endNs;
    }
}
