/**
 * Threads that append: as fast as they can, at a rate, or for as long as it takes to see the rate that lasts.
 *
 * <pre>
 *    ClosedLoop, OpenLoop, Allocation --→ ProducerThreads --→ AppendLoop: append, Stamp the time --→ Latencies
 *    Sustained --→ SustainedLoop --→ Seconds, by SlotCounts
 *    threads: one for each producer
 * </pre>
 */
@NullMarked
package io.persist.peers.trial.load;

import org.jspecify.annotations.NullMarked;
