package io.persist.bench.cache;

import io.persist.bench.result.Percentile;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the runs have measured, as Markdown, with the figures of ARCUS beside it. */
final class CacheTable {

    /**
     * What ARCUS published, read off its charts.
     *
     * @param perSecond thousands of requests per second: off, async, sync
     */
    private record Arcus(double... perSecond) {

        double of(CacheMode mode) {
            return perSecond[mode.ordinal()];
        }
    }

    private static final Map<String, Arcus> ARCUS = Map.of(
            "insert", new Arcus(120.7, 106.3, 81.7),
            "retrieve", new Arcus(170.0, 168.4, 169.6),
            "1:9", new Arcus(154.9, 154.9, 142.9),
            "3:7", new Arcus(137.7, 131.5, 115.8),
            "5:5", new Arcus(122.6, 117.5, 108.2));

    private final double[] percentiles;
    private final Map<String, Map<CacheMode, CacheResult>> results = new java.util.LinkedHashMap<>();

    CacheTable(double[] percentiles) {
        this.percentiles = percentiles.clone();
    }

    void add(CacheResult result) {
        results.computeIfAbsent(result.test().id(), any -> new EnumMap<>(CacheMode.class))
                .put(result.mode(), result);
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    /** A row for each run. */
    void printRuns(PrintStream out) {
        StringBuilder heading =
                new StringBuilder("| test | mode | engine | requests/s | sets | gets | misses | avg ms |");
        StringBuilder rule = new StringBuilder("|---|---|---|---|---|---|---|---|");
        for (double percentile : percentiles) {
            heading.append(" p").append(plain(percentile)).append(" ms |");
            rule.append("---|");
        }
        out.println(heading + " max ms | ARCUS requests/s |");
        out.println(rule + "---|---|");
        results.values().forEach(modes -> modes.values().forEach(result -> out.println(row(result))));
        if (results.values().stream()
                .flatMap(modes -> modes.values().stream())
                .anyMatch(result -> hasTooFew(result.all().getTotalCount()))) {
            out.println();
            out.println(Percentile.LEGEND);
        }
    }

    private boolean hasTooFew(long count) {
        return Arrays.stream(percentiles).anyMatch(percentile -> !Percentile.hasValuesAbove(percentile, count));
    }

    private String row(CacheResult result) {
        Histogram all = result.all();
        StringBuilder row = new StringBuilder(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %,.0f | %,d | %,d | %,d | %s |",
                result.test().id(),
                result.mode().id(),
                result.engine(),
                result.perSecond(),
                result.sets(),
                result.gets(),
                result.misses(),
                ms(all.getMean())));
        for (double percentile : percentiles) {
            row.append(' ')
                    .append(ms(all.getValueAtPercentile(percentile)))
                    .append(Percentile.mark(percentile, all.getTotalCount()))
                    .append(" |");
        }
        Arcus arcus = ARCUS.get(result.test().id());
        String beside = arcus == null ? "" : String.format(Locale.ROOT, "%,.0f", 1000 * arcus.of(result.mode()));
        return row.append(' ')
                .append(ms(all.getMaxValue()))
                .append(" | ")
                .append(beside)
                .append(" |")
                .toString();
    }

    /** The costs of logging: what is left of the requests per second with it. */
    void printRatios(PrintStream out) {
        out.println("| test | SYNC/OFF | ARCUS | ASYNC/OFF | ARCUS |");
        out.println("|---|---|---|---|---|");
        results.forEach((test, modes) -> out.println("| " + test + " | " + ratio(modes, CacheMode.SYNC) + " | "
                + arcusRatio(test, CacheMode.SYNC) + " | " + ratio(modes, CacheMode.ASYNC) + " | "
                + arcusRatio(test, CacheMode.ASYNC) + " |"));
    }

    private static String ratio(Map<CacheMode, CacheResult> modes, CacheMode mode) {
        CacheResult off = modes.get(CacheMode.OFF);
        CacheResult other = modes.get(mode);
        return off == null || other == null ? "" : plainRatio(other.perSecond() / off.perSecond());
    }

    private static String arcusRatio(String test, CacheMode mode) {
        Arcus arcus = ARCUS.get(test);
        return arcus == null ? "" : plainRatio(arcus.of(mode) / arcus.of(CacheMode.OFF));
    }

    private static String plainRatio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    private static String ms(double ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 1e6);
    }

    /** As 90 or 99.9. */
    static String plain(double percentile) {
        return io.persist.command.Text.decimal(percentile);
    }

    /** A line for each run, with a heading; latencies in ns. */
    List<String> csv() {
        StringBuilder heading =
                new StringBuilder("test,mode,engine,requests_per_second,sets,gets,misses,elapsed_ns,avg_ns");
        for (double percentile : percentiles) {
            heading.append(",p").append(plain(percentile)).append("_ns");
        }
        List<String> lines = new ArrayList<>(List.of(heading + ",max_ns,open_ns,items,lost"));
        results.values().forEach(modes -> modes.values().forEach(result -> lines.add(csv(result))));
        return lines;
    }

    private String csv(CacheResult result) {
        Histogram all = result.all();
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%s,%s,%s,%.1f,%d,%d,%d,%d,%.0f",
                result.test().id(),
                result.mode().id(),
                result.engine(),
                result.perSecond(),
                result.sets(),
                result.gets(),
                result.misses(),
                result.elapsedNs(),
                all.getMean()));
        for (double percentile : percentiles) {
            line.append(',').append(all.getValueAtPercentile(percentile));
        }
        CacheResult.@Nullable Reopened reopened = result.reopened();
        line.append(',').append(all.getMaxValue());
        return line.append(
                        reopened == null
                                ? ",,,"
                                : "," + reopened.elapsedNs() + "," + reopened.items() + "," + reopened.lost())
                .toString();
    }
}
