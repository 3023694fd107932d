/**
 * Parts alone, in memory: the checksum, a frame, the index. The queue is in {@code io.persist.detached}, where it can
 * be reached.
 *
 * <pre>
 *    bytes --→ ChecksumBenchmark, FrameBenchmark      keys --→ IndexBenchmark
 *    threads: one of JMH
 * </pre>
 *
 * <p>Like {@code io.persist.jmh} not {@code @NullMarked}.
 */
package io.persist.jmh.part;
