/**
 * The command line programs: benchmarks that show what a log costs on the machine at hand, and the tools for logs.
 *
 * <p>Read {@link io.persist.bench.Main} first, then {@code BenchmarkProgram} and {@code BenchmarkRun}, which tell
 * the phases of a benchmark in order. What is measured, and how, is in {@code WriteLoop}; what becomes of the measured
 * values in {@code LatencyRecorder}.
 */
@NullMarked
package io.persist.bench;

import org.jspecify.annotations.NullMarked;
