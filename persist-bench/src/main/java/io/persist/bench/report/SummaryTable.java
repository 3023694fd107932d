package io.persist.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the report as a table: a row for each series of each run, and one for a run that has none, without
 * latencies.
 */
final class SummaryTable {

    private static final Gson GSON = new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .serializeNulls()
            .create();
    private static final String END_OF_ROW = "\r\n";

    private final List<RunSummary> runs;

    SummaryTable(List<RunSummary> runs) {
        this.runs = runs;
    }

    /** An array of objects; the figures of a run are an object in each of its rows. */
    String json() {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        forEachRow((run, row) -> {
            row.put("figures", run.figures());
            rows.add(row);
        });
        return GSON.toJson(rows) + "\n";
    }

    /** As in RFC 4180, with a header. The figures are the last columns, empty where a run has not got one. */
    String csv() {
        Set<String> figures = new LinkedHashSet<>();
        runs.forEach(run -> figures.addAll(run.figures().keySet()));
        StringBuilder csv = new StringBuilder();
        forEachRow((run, row) -> {
            if (csv.isEmpty()) {
                List<String> header = new ArrayList<>(row.keySet());
                header.addAll(figures);
                csv.append(line(header));
            }
            List<String> cells = new ArrayList<>(
                    row.values().stream().map(SummaryTable::cell).toList());
            figures.forEach(name -> {
                Double value = run.figures().get(name);
                cells.add(value == null ? "" : decimal(value).toPlainString());
            });
            csv.append(line(cells));
        });
        return csv.toString();
    }

    private void forEachRow(RowSink sink) {
        for (RunSummary run : runs) {
            for (SeriesSummary series : run.series()) {
                sink.onRow(run, row(run, series));
            }
            if (run.series().isEmpty()) {
                sink.onRow(run, row(run, null));
            }
        }
    }

    /** Without a series what is not known is null. */
    private static Map<String, @Nullable Object> row(RunSummary run, @Nullable SeriesSummary series) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("run", run.label());
        row.put("directory", run.directory());
        row.put("startedAt", run.startedAt());
        row.put("series", series == null ? "" : series.name());
        row.put("count", series == null ? run.count() : series.count());
        row.put("runPerSecond", run.perSecond() > 0 ? decimal(run.perSecond()) : null);
        row.put("meanNs", series == null ? null : decimal(series.meanNs()));
        for (int i = 0; i < SeriesSummary.PERCENTILES.size(); i++) {
            String percentile = decimal(SeriesSummary.PERCENTILES.get(i)).toPlainString();
            row.put(
                    "p" + percentile + "Ns",
                    series == null ? null : series.percentilesNs().get(i));
        }
        row.put("maxNs", series == null ? null : series.maxNs());
        return row;
    }

    private static String cell(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    /** Without an exponent, which spreadsheets of some countries do not read. */
    private static BigDecimal decimal(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP);
        return rounded.signum() == 0
                ? BigDecimal.ZERO
                : new BigDecimal(rounded.stripTrailingZeros().toPlainString());
    }

    private static String line(List<String> cells) {
        return cells.stream().map(SummaryTable::quoted).collect(Collectors.joining(",")) + END_OF_ROW;
    }

    private static String quoted(String value) {
        boolean needsQuotes = value.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return needsQuotes ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }

    /** Takes the rows in order. */
    @FunctionalInterface
    private interface RowSink {

        void onRow(RunSummary run, Map<String, @Nullable Object> row);
    }
}
