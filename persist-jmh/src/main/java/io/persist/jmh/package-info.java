/**
 * JMH benchmarks of Persist and of what it is measured against: bare copies, bare synced writes and, among the test
 * sources, Chronicle Queue, the Disruptor and RocksDB. Run with {@code bin/persist jmh}.
 *
 * <p>A number says little by itself: what the targets name are ratios between benchmarks of one run on one machine, see
 * {@link io.persist.jmh.Ratios}.
 *
 * <p>Logs are written below {@code target/jmh-logs} of the current directory, or where the system property {@code
 * persist.jmh.dir} says. Each benchmark deletes its own.
 *
 * <p>The package is not {@code @NullMarked}: JMH fills the fields of a state in methods that NullAway does not know.
 */
package io.persist.jmh;
