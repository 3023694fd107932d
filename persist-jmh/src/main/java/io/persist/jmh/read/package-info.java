/**
 * What reading costs: a log from its start, a key of a store, and opening after an end or a kill.
 *
 * <pre>
 *    TailBenchmark   StoreGetBenchmark   ReopenBenchmark ←-- KilledWriter, a process
 *    threads: one of JMH, or as many as -t says
 * </pre>
 *
 * <p>Like {@code io.persist.jmh} not {@code @NullMarked}.
 */
package io.persist.jmh.read;
