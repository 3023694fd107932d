package io.persist.bench.rows;

import io.persist.bench.result.Percentile;
import io.persist.bench.rows.RowRun.Until;
import io.persist.bench.rows.promise.RowPromise;
import io.persist.command.Text;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One engine with batches of each size, beside the model. The sizes before an interruption are printed too. */
final class RowSweep {

    private static final String ROW = "%9s %12s %12s %9s %12s %12s%n";

    private final RowsFlags flags;
    private final RowRun run;
    private final RowRuns runs;
    private final PrintStream out;

    RowSweep(RowsFlags flags, RowRun run, RowRuns runs, PrintStream out) {
        this.flags = flags;
        this.run = run;
        this.runs = runs;
        this.out = out;
    }

    /** @param mostRows of each size, after which no batch begins */
    void sweep(RowEngine engine, long mostRows) throws IOException {
        RowPromise promise = engine.promises().apply(flags.journalMode, flags.synchronous);
        out.println();
        out.println(engine.name() + ", rows of " + Text.number(flags.rowSize, "byte") + ", each size "
                + Text.decimal(flags.seconds()) + " s" + Text.unused("-batch-count and -batch-size, in a sweep"));
        out.println("Commit: " + promise.words());
        List<Long> sizes = flags.sizes();
        List<RowRun.Result> results = new ArrayList<>();
        try {
            measure(engine, sizes, mostRows, results);
        } finally { // also if a size has failed
            if (results.size() < sizes.size()) {
                out.println("Interrupted: " + results.size() + " of " + sizes.size() + " sizes were measured.");
            }
            print(results);
        }
    }

    /** Adds fewer results than sizes if the program is to end. */
    private void measure(RowEngine engine, List<Long> sizes, long mostRows, List<RowRun.Result> results)
            throws IOException {
        for (long size : sizes) {
            RowRun.Result result =
                    run.run(engine, size, new Until(Long.MAX_VALUE, (long) (flags.seconds() * 1e9), mostRows));
            run.delete();
            if (result.isCutOff()) {
                break;
            }
            results.add(result);
        }
    }

    private void print(List<RowRun.Result> results) throws IOException {
        if (results.isEmpty()) {
            return;
        }
        // Two unknowns need two sizes.
        BatchModel model = results.size() < 2 ? null : BatchModel.fit(results);
        if (model != null) {
            out.printf(
                    Locale.ROOT,
                    "Model: n / (sync + n*w) with sync = %.2f us, w = %.3f us%n",
                    model.syncNs() / 1e3,
                    model.rowNs() / 1e3);
        }
        out.printf(ROW, "batch", "rows/s", "model", "measured/", "batch p50 us", "p99 us");
        results.forEach(result -> print(result, model));
        if (results.stream()
                .anyMatch(each -> !Percentile.hasValuesAbove(99, each.commits().getTotalCount()))) {
            out.println(Percentile.LEGEND);
        }
        for (RowRun.Result result : results) {
            if (flags.output != null) {
                runs.write(flags.output, result, model);
            }
        }
    }

    private void print(RowRun.Result result, @Nullable BatchModel model) {
        double modelled = model == null ? Double.NaN : model.perSecond(result.batchSize());
        out.printf(
                ROW,
                result.batchSize(),
                Text.grouped(Math.round(result.perSecond())),
                model == null ? "-" : Text.grouped(Math.round(modelled)),
                model == null ? "-" : String.format(Locale.ROOT, "%.2f", result.perSecond() / modelled),
                Percentile.micros(result.commits(), 50),
                Percentile.micros(result.commits(), 99));
    }
}
