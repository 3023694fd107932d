package io.persist.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Prints the medians of a JMH run and how many times as long each took as a baseline of the same payload.
 *
 * <pre>
 *   bin/persist jmh 'AppendBenchmark|BareCopy' -rf json -rff out.json
 *   java persist-jmh/src/main/java/io/persist/jmh/Ratios.java out.json BareCopyBenchmark.copy
 * </pre>
 */
public final class Ratios {

    private static final Pattern NAME = Pattern.compile("\"benchmark\" : \"[^\"]*?([^.\"]+\\.[^.\"]+)\"");
    private static final Pattern PARAMS = Pattern.compile("\"params\" : \\{([^}]*)}");
    private static final Pattern PARAM = Pattern.compile("\"([^\"]+)\" : \"([^\"]*)\"");
    private static final Pattern UNIT = Pattern.compile("\"scoreUnit\" : \"([^\"]*)\"");
    private static final Pattern MEDIAN = Pattern.compile("\"50.0\" : ([^,\\s]+)");
    private static final Pattern P99 = Pattern.compile("\"99.0\" : ([^,\\s]+)");

    private Ratios() {}

    /** One benchmark with one set of parameters; {@code others} are all parameters but the payload. */
    private record Row(String name, String payload, String others, double median, double p99, String unit) {}

    /** Takes the file, and the name of the baseline or a part of it: without one, the first row of each payload. */
    public static void main(String[] args) throws IOException {
        if (args.length < 1 || args.length > 2) {
            System.err.println("usage: Ratios FILE.json [BASELINE]");
            System.exit(2);
        }
        List<Row> rows = read(Files.readString(Path.of(args[0])));
        String wanted = args.length == 2 ? args[1] : "";
        System.out.printf(
                "%-40s %-30s %8s %12s %12s  %-6s %6s%n", "benchmark", "", "payload", "p50", "p99", "", "ratio");
        for (String payload : rows.stream().map(Row::payload).distinct().toList()) {
            List<Row> same =
                    rows.stream().filter(row -> row.payload.equals(payload)).toList();
            double base = same.stream()
                    .filter(row -> row.name.contains(wanted))
                    .mapToDouble(Row::median)
                    .findFirst()
                    .orElse(Double.NaN);
            for (Row row : same) {
                System.out.printf(
                        Locale.ROOT,
                        "%-40s %-30s %8s %12.3f %12.3f  %-6s %6.2f%n",
                        row.name,
                        row.others,
                        row.payload,
                        row.median,
                        row.p99,
                        row.unit,
                        row.median / base);
            }
        }
    }

    /** JMH writes one object per row, which begins with its version. The first percentiles are the primary metric's. */
    private static List<Row> read(String json) {
        List<Row> rows = new ArrayList<>();
        String[] objects = json.split("\"jmhVersion\"", -1);
        for (int i = 1; i < objects.length; i++) {
            List<String> others = new ArrayList<>();
            String payload = "-";
            Matcher params = PARAM.matcher(first(PARAMS, objects[i], ""));
            while (params.find()) {
                if (params.group(1).equals("payload")) {
                    payload = params.group(2);
                } else {
                    others.add(params.group(2));
                }
            }
            rows.add(new Row(
                    first(NAME, objects[i], "?"),
                    payload,
                    others.stream().collect(Collectors.joining(" ")),
                    Double.parseDouble(first(MEDIAN, objects[i], "NaN")),
                    Double.parseDouble(first(P99, objects[i], "NaN")),
                    first(UNIT, objects[i], "")));
        }
        return rows;
    }

    private static String first(Pattern pattern, String text, String otherwise) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : otherwise;
    }
}
