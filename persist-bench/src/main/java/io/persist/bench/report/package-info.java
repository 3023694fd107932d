/**
 * The command {@code report}: what runs of benchmarks left behind, as one HTML page, or as a table.
 *
 * <p>Read {@link io.persist.bench.report.ReportCommand} first. {@code RunFinder} finds the runs, {@code RunReader} and
 * {@code LatencyLogReader} read them, {@code ReportPage} puts them into a page, whose scripts draw them; {@code
 * SummaryTable} makes a table of them.
 */
@NullMarked
package io.persist.bench.report;

import org.jspecify.annotations.NullMarked;
