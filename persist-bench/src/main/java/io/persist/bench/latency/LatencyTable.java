package io.persist.bench.latency;

import io.persist.bench.result.Percentile;
import io.persist.command.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Distributions of latencies as lines of text, in microseconds. */
public final class LatencyTable {

    private static final double[] PERCENTILES = {50, 75, 90, 99, 99.9, 99.99, 99.999, 99.9999};

    /** Of the percentiles, the maximum and the two averages. */
    private static final int[] INTERVAL_WIDTHS = {7, 7, 7, 7, 8, 8, 8, 8, 8, 7, 7};

    /** The gap between two columns is narrower where the table would not fit this many characters. */
    private static final int LINE_LENGTH = 120;

    private LatencyTable() {}

    /** One row per series, with what each measured in all; the columns are as wide as they need to be. */
    public static List<String> total(List<LatencySeries> series) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(header("metric", "# iterations", "%ile", "avg"));
        for (LatencySeries each : series) {
            List<String> row = cells(each.name(), each.total());
            row.add(Text.micros(each.total().getMean()));
            rows.add(row);
        }
        return align(rows);
    }

    /** The header of {@link #interval}: avg(d) is the interval's average, avg(o) is the one since the start. */
    public static String intervalHeader(List<LatencySeries> series) {
        return intervalLine(header("interval", "iterations", "%", "avg(d)", "avg(o)"), series);
    }

    /**
     * One line about what one of the series has measured lately, aligned with the header.
     *
     * @param seconds since the start, as they are to be shown
     */
    public static String interval(String seconds, LatencySeries one, Histogram lately, List<LatencySeries> series) {
        List<String> row = cells(one.name() + " " + seconds + " s", lately);
        row.add(Text.micros(lately.getMean()));
        row.add(Text.micros(one.total().getMean()));
        return intervalLine(row, series);
    }

    /** These lines come one by one, so their columns have fixed widths. */
    private static String intervalLine(List<String> cells, List<LatencySeries> series) {
        int longest =
                series.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        StringBuilder line = new StringBuilder(String.format("%-" + (longest + 9) + "s", cells.get(0)));
        line.append(String.format(" %10s", cells.get(1)));
        for (int i = 2; i < cells.size(); i++) {
            line.append(String.format(" %" + INTERVAL_WIDTHS[i - 2] + "s", cells.get(i)));
        }
        return line.toString();
    }

    private static List<String> header(String first, String iterations, String percentile, String... last) {
        List<String> cells = new ArrayList<>(List.of(first, iterations));
        for (double each : PERCENTILES) {
            cells.add(Text.decimal(each) + percentile);
        }
        cells.add("max");
        cells.addAll(List.of(last));
        return cells;
    }

    private static List<String> cells(String name, Histogram histogram) {
        List<String> cells = new ArrayList<>(List.of(name, Long.toString(histogram.getTotalCount())));
        for (double percentile : PERCENTILES) {
            String mark = Percentile.mark(percentile, histogram.getTotalCount());
            cells.add(Text.micros(histogram.getValueAtPercentile(percentile)) + mark);
        }
        cells.add(Text.micros(histogram.getMaxValue()));
        return cells;
    }

    /** Whether a line has the mark. */
    public static boolean isMarked(String line) {
        return line.contains(Percentile.MARK);
    }

    /** What the mark says, if the row of one of the series has it in {@link #total}. */
    public static List<String> legend(List<LatencySeries> series) {
        double highest = PERCENTILES[PERCENTILES.length - 1];
        return series.stream()
                        .allMatch(each ->
                                Percentile.hasValuesAbove(highest, each.total().getTotalCount()))
                ? List.of()
                : List.of(Percentile.LEGEND);
    }

    /** Pads the cells to columns: names to the left, numbers to the right. */
    private static List<String> align(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        String gap = Arrays.stream(widths).sum() + 2 * (columns - 1) > LINE_LENGTH ? " " : "  ";
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(String.format("%-" + widths[0] + "s", row.get(0)));
            for (int i = 1; i < columns; i++) {
                line.append(gap).append(String.format("%" + widths[i] + "s", row.get(i)));
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
