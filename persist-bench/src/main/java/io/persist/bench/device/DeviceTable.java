package io.persist.bench.device;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.persist.bench.device.engine.Trait;
import io.persist.bench.result.Percentile;
import io.persist.command.Text;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Results as rows: of text for people, and as CSV and JSON for programs. */
final class DeviceTable {

    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private static final String TEXT = "%7s  %-15s %-7s %-13s %5s %9s %9s %9s %9s %10s %10s %9s %12s";

    /** Of the percentiles. */
    private static final double HIGHEST = 99.9;

    private final DeviceFlags flags;

    DeviceTable(DeviceFlags flags) {
        this.flags = flags;
    }

    String heading() {
        return String.format(
                        Locale.ROOT,
                        TEXT,
                        "",
                        "engine",
                        "pattern",
                        "op",
                        "depth",
                        "ops/s",
                        "MB/s",
                        "p50 us",
                        "p99 us",
                        "p99.9 us",
                        "max us",
                        "CPU us/op",
                        "source ops/s")
                + (flags.fio ? String.format(Locale.ROOT, " %9s %6s", "fio ops/s", "ratio") : "");
    }

    /** @param place as in 3/74 */
    String row(CellResult result, String place) {
        Cell cell = result.cell();
        OptionalLong source = SourceFigures.of(cell, flags.block());
        if (result.isEmpty()) {
            return String.format(
                    Locale.ROOT,
                    "%7s  %-15s %-7s %-13s     - not measured: %s",
                    place,
                    cell.engine().name(),
                    Text.camelCase(cell.pattern()),
                    cell.action(),
                    result.missing());
        }
        Histogram latencies = result.latencies();
        Double ratio = result.ratioToFio();
        return String.format(
                        Locale.ROOT,
                        TEXT,
                        place,
                        cell.engine().name(),
                        Text.camelCase(cell.pattern()),
                        cell.action(),
                        cell.depth(),
                        decimal(result.perSecond(), 0),
                        decimal(result.megabytesPerSecond(flags.block()), 1),
                        Percentile.micros(latencies, 50),
                        Percentile.micros(latencies, 99),
                        Percentile.micros(latencies, HIGHEST),
                        Text.micros(latencies.getMaxValue()),
                        decimal(result.cpuSecondsPerOperation() * 1e6, 1),
                        source.isPresent() ? source.getAsLong() : "-")
                + (ratio == null || result.fioPerSecond() == null
                        ? ""
                        : String.format(Locale.ROOT, " %9s %6s", decimal(result.fioPerSecond(), 0), decimal(ratio, 2)))
                + (result.cached() ? "  cached" : "")
                + (result.note().isEmpty() ? "" : "  " + result.note());
    }

    /** What a mark in one of the rows means; nothing if there is none. */
    static List<String> legend(List<CellResult> results) {
        boolean isMarked = results.stream()
                .anyMatch(each -> !each.isEmpty() && !Percentile.hasValuesAbove(HIGHEST, each.operations()));
        return isMarked ? List.of(Percentile.LEGEND) : List.of();
    }

    /** As in RFC 4180, with a header. */
    String csv(List<CellResult> results) {
        StringBuilder csv = new StringBuilder();
        for (CellResult result : results) {
            Map<String, Object> row = columns(result);
            if (csv.isEmpty()) {
                csv.append(String.join(",", row.keySet())).append("\r\n");
            }
            List<String> cells = new ArrayList<>();
            row.values().forEach(value -> cells.add(quoted(value)));
            csv.append(String.join(",", cells)).append("\r\n");
        }
        return csv.toString();
    }

    /** One object: the machine, the parameters, and an array of cells. */
    String json(List<CellResult> results, Map<String, String> environment, Map<String, String> parameters) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("environment", environment);
        document.put("parameters", parameters);
        document.put("cells", results.stream().map(this::columns).toList());
        return GSON.toJson(document) + "\n";
    }

    /** By name; what is not known is null. */
    private Map<String, Object> columns(CellResult result) {
        Cell cell = result.cell();
        Histogram latencies = result.latencies();
        boolean isThere = !result.isEmpty();
        Map<String, Object> row = new Columns();
        row.putAll(cell.describe());
        row.put("synced", cell.engine().has(Trait.SYNCED) || cell.syncEvery() == 1);
        row.put("block", flags.block());
        row.put("files", flags.files().size());
        row.put("fileSize", flags.fileSize());
        row.put("operations", result.operations());
        row.put("opsPerSecond", isThere ? rounded(result.perSecond()) : null);
        row.put("mbPerSecond", isThere ? rounded(result.megabytesPerSecond(flags.block())) : null);
        row.put("p50Ns", isThere ? latencies.getValueAtPercentile(50) : null);
        row.put("p99Ns", isThere ? latencies.getValueAtPercentile(99) : null);
        row.put("p99.9Ns", isThere ? latencies.getValueAtPercentile(99.9) : null);
        row.put("maxNs", isThere ? latencies.getMaxValue() : null);
        row.put("cpuNsPerOp", isThere ? rounded(result.cpuSecondsPerOperation() * 1e9) : null);
        row.put("cached", result.cached());
        OptionalLong source = SourceFigures.of(cell, flags.block());
        row.put("sourceOpsPerSecond", source.isPresent() ? source.getAsLong() : null);
        Double fio = result.fioPerSecond();
        row.put("fioOpsPerSecond", fio == null ? null : rounded(fio));
        Double ratio = result.ratioToFio();
        row.put("ratioToFio", ratio == null ? null : rounded(ratio));
        row.put("missing", result.missing());
        row.put("note", result.note());
        return row;
    }

    /** Keeps the order; null is a value. */
    private static final class Columns extends LinkedHashMap<String, @Nullable Object> {

        private static final long serialVersionUID = 1;
    }

    private static String quoted(@Nullable Object value) {
        String text = value == null ? "" : value.toString();
        boolean needsQuotes = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return needsQuotes ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static String decimal(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    private static BigDecimal rounded(double value) {
        return new BigDecimal(BigDecimal.valueOf(value)
                .setScale(3, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString());
    }
}
