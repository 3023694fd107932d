/**
 * What an append costs without a sync, and the floor under it.
 *
 * <pre>
 *    AppendBenchmark beside BareCopyBenchmark: an append beside a copy of its bytes
 *    CodecBenchmark: by an encoder   ProducersBenchmark: by several threads, through a queue or under a lock
 *    threads: one of JMH; of several producers those of Producers
 * </pre>
 *
 * <p>Like {@code io.persist.jmh} not {@code @NullMarked}.
 */
package io.persist.jmh.append;
