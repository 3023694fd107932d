/**
 * {@code bin/persist shard}: writers and readers of one shard at a rate that does not wait for them.
 *
 * <pre>
 *   feeder --two batches--→ builder, into the blob --ten batches--→ appender, by compare-and-set
 *   listener --→ reader
 *   LoopRun: the disk bare → OpenLoop → LoopSummary: latencies, Bounds, CpuTimes, Goals
 * </pre>
 *
 * <p>Three threads for each writer, one for each reader; the one that prints looks at their counters.
 */
@NullMarked
package io.persist.shard.bench.loop;

import org.jspecify.annotations.NullMarked;
