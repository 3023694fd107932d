package io.persist.shard.bench.micro;

import io.persist.bench.result.Percentile;
import io.persist.command.Text;
import java.io.PrintStream;
import java.util.List;

/** What was measured, as Markdown, with what Materialize has published beside it. */
final class BenchTable {

    private BenchTable() {}

    static void print(List<Measured> results, PrintStream out) {
        if (results.isEmpty()) {
            return;
        }
        out.println("| sizes | benchmark | backend | n | p50 µs | p95 µs | p99 µs | max µs | mean µs | Materialize |");
        out.println("|---|---|---|---|---|---|---|---|---|---|");
        for (Measured each : results) {
            out.println("| " + each.set() + " | " + each.benchmark().id() + " | " + each.backend() + " | "
                    + Text.grouped(each.count()) + " | " + Percentile.micros(each.latencies(), 50) + " | "
                    + Percentile.micros(each.latencies(), 95) + " | " + Percentile.micros(each.latencies(), 99) + " | "
                    + Text.micros(each.latencies().getMaxValue()) + " | " + Text.micros(each.meanNs()) + " | "
                    + source(each) + " |");
        }
        out.println();
        if (results.stream().anyMatch(each -> !Percentile.hasValuesAbove(99, each.count()))) {
            out.println(Percentile.LEGEND);
        }
        out.println("The mean of writes and write-to-listen has the making of the shard in it, as Materialize's figures"
                + " have.");
        out.println("Its 5.1 ms are a listener in memory that looks every 4 ms; a listener here is told.");
    }

    /** Its figures are those of the small sizes. */
    private static String source(Measured each) {
        return each.set().equals(BenchFlags.SMALL) ? each.benchmark().source(each.backend()) : "";
    }
}
