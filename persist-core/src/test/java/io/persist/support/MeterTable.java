package io.persist.support;

import java.util.List;

/** The table of the meters in docs/operations.md, and the rule by which the text for Prometheus names them. */
public final class MeterTable {

    private MeterTable() {}

    /** Each row has the name of a meter, its kind, its unit, what it is of many logs, and what it shows. */
    public static List<List<String>> rows() {
        return Docs.table("docs/operations.md", "meters");
    }

    /** The lines of that text that come before the values of the meter of {@code row}. */
    public static List<String> heads(List<String> row) {
        String kind = row.get(1);
        String unit = row.get(2).isEmpty() ? "" : "_" + row.get(2);
        String name = row.get(0).replace('.', '_') + unit + (kind.equals("counter") ? "_total" : "");
        return List.of("# HELP " + name + " " + row.get(4), "# TYPE " + name + " " + kind);
    }
}
