package io.persist.bench.cache;

import io.persist.bench.result.Median;
import io.persist.bench.result.Percentile;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    /** Of each round, by test and mode. */
    private final Map<String, Map<CacheMode, List<CacheResult>>> results = new LinkedHashMap<>();

    CacheTable(double[] percentiles) {
        this.percentiles = percentiles.clone();
    }

    void add(CacheResult result) {
        results.computeIfAbsent(result.test().id(), any -> new EnumMap<>(CacheMode.class))
                .computeIfAbsent(result.mode(), any -> new ArrayList<>())
                .add(result);
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    /** A row for each mode of each test: the median of the requests per second of its rounds, and all else of all. */
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
        rows().forEach(rounds -> out.println(row(rounds)));
        if (rows().anyMatch(rounds -> hasTooFew(all(rounds).getTotalCount()))) {
            out.println();
            out.println(Percentile.LEGEND);
        }
        int rounds = rows().mapToInt(List::size).max().orElse(0);
        if (rounds > 1) {
            out.println();
            out.println("requests/s are medians of " + rounds + " rounds, all else is of all of them.");
        }
    }

    private Stream<List<CacheResult>> rows() {
        return results.values().stream().flatMap(modes -> modes.values().stream());
    }

    /** The latencies of all requests of all rounds. */
    private static Histogram all(List<CacheResult> rounds) {
        Histogram all = CacheSeconds.histogram();
        rounds.forEach(result -> all.add(result.all()));
        return all;
    }

    private static double median(List<CacheResult> rounds) {
        return Median.of(rounds.stream().mapToDouble(CacheResult::perSecond)).orElse(0);
    }

    private boolean hasTooFew(long count) {
        return Arrays.stream(percentiles).anyMatch(percentile -> !Percentile.hasValuesAbove(percentile, count));
    }

    private String row(List<CacheResult> rounds) {
        Histogram all = all(rounds);
        CacheResult result = rounds.get(0);
        StringBuilder row = new StringBuilder(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %,.0f | %,d | %,d | %,d | %s |",
                result.test().id(),
                result.mode().id(),
                result.engine(),
                median(rounds),
                rounds.stream().mapToLong(CacheResult::sets).sum(),
                rounds.stream().mapToLong(CacheResult::gets).sum(),
                rounds.stream().mapToLong(CacheResult::misses).sum(),
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

    /** The median of those within a round. */
    private static String ratio(Map<CacheMode, List<CacheResult>> modes, CacheMode mode) {
        List<CacheResult> off = modes.getOrDefault(CacheMode.OFF, List.of());
        List<CacheResult> other = modes.getOrDefault(mode, List.of());
        DoubleStream ratios = IntStream.range(0, Math.min(off.size(), other.size()))
                .mapToDouble(
                        round -> other.get(round).perSecond() / off.get(round).perSecond());
        OptionalDouble median = Median.of(ratios);
        return median.isPresent() ? plainRatio(median.getAsDouble()) : "";
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
                new StringBuilder("test,mode,engine,round,requests_per_second,sets,gets,misses,elapsed_ns,avg_ns");
        for (double percentile : percentiles) {
            heading.append(",p").append(plain(percentile)).append("_ns");
        }
        List<String> lines = new ArrayList<>(List.of(heading + ",max_ns,open_ns,items,lost"));
        rows().forEach(rounds -> {
            for (int i = 0; i < rounds.size(); i++) {
                lines.add(csv(rounds.get(i), i + 1));
            }
        });
        return lines;
    }

    private String csv(CacheResult result, int round) {
        Histogram all = result.all();
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%s,%s,%s,%d,%.1f,%d,%d,%d,%d,%.0f",
                result.test().id(),
                result.mode().id(),
                result.engine(),
                round,
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
