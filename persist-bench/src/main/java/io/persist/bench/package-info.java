/**
 * The benchmark programs, which show what a log costs on the machine at hand. The tools for logs are in persist-tools.
 *
 * <p>Read {@link io.persist.bench.Main} first, then {@code BenchmarkProgram} and {@code BenchmarkRun}, which tell the
 * phases of a benchmark in order. What is measured, and how, is in {@link io.persist.bench.load.WriteLoop}; what
 * becomes of the measured values in {@link io.persist.bench.latency.LatencyRecorder}. Each package uses only those
 * below it:
 *
 * <pre>
 *   programs          io.persist.bench
 *   loggers, disks    subject  device  rows
 *   their flags       flags
 *   a measurement     measure
 *   threads           load
 *   times, records    latency  record
 *   the machine       doctor  host
 *   files of results  report  result
 * </pre>
 */
@NullMarked
package io.persist.bench;

import org.jspecify.annotations.NullMarked;
