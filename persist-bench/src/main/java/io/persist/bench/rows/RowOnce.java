package io.persist.bench.rows;

import io.persist.bench.result.Percentile;
import io.persist.bench.rows.RowRun.Until;
import io.persist.command.Text;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** One engine with batches of one size. A run that was interrupted is printed, but not kept beside whole ones. */
final class RowOnce {

    private final RowsFlags flags;
    private final RowRun run;
    private final RowRuns runs;
    private final PrintStream out;

    RowOnce(RowsFlags flags, RowRun run, RowRuns runs, PrintStream out) {
        this.flags = flags;
        this.run = run;
        this.runs = runs;
        this.out = out;
    }

    void measure(RowEngine engine) throws IOException {
        RowRun.Result result =
                run.run(engine, flags.batchSize, new Until(flags.batchCount, Long.MAX_VALUE, Long.MAX_VALUE));
        if (!flags.keep) {
            run.delete();
        }
        if (flags.engines().size() > 1) {
            out.println(engine.name());
        }
        if (result.isCutOff()) {
            out.println("Interrupted: " + Text.grouped(result.commits().getTotalCount()) + " of "
                    + Text.grouped(flags.batchCount) + " batches were measured"
                    + (flags.output == null ? "." : "; nothing is written to " + flags.output + "."));
        }
        print(result);
        if (flags.output != null && !result.isCutOff()) {
            runs.write(flags.output, result, null);
        }
    }

    private void print(RowRun.Result result) {
        out.printf(Locale.ROOT, "Inserts:   %d rows%n", result.rows());
        out.printf(Locale.ROOT, "Elapsed:   %.3fs%n", result.elapsedNs() / 1e9);
        out.printf(Locale.ROOT, "Rate:      %.3f insert/sec%n", result.perSecond());
        out.printf(Locale.ROOT, "File size: %d bytes%n", result.fileBytes());
        out.println("Commit:    " + result.promise().words());
        out.println("Batch:     " + times(result.commits()));
        if (!Percentile.hasValuesAbove(99, result.commits().getTotalCount())) {
            out.println(Percentile.LEGEND);
        }
    }

    private static String times(Histogram commits) {
        return "p50 " + Percentile.micros(commits, 50) + " us, p99 " + Percentile.micros(commits, 99) + " us, max "
                + Text.micros(commits.getMaxValue()) + " us";
    }
}
