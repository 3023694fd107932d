/**
 * What benchmarks share: a log that never fills the disk, what is appended, threads, and files that go away again.
 *
 * <pre>
 *    LogBenchmark --→ ScratchDirectory: with enough space, deleted at the end   ZeroedFile: bare writers write into it
 *    Payloads: the bytes   Producers: threads that do the same work at the same time
 *    threads: those of the benchmark
 * </pre>
 *
 * <p>Like {@code io.persist.jmh} not {@code @NullMarked}.
 */
package io.persist.jmh.support;
