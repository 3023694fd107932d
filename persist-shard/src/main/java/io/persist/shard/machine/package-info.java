/**
 * One shard as this process knows it.
 *
 * <pre>
 *    transition --ShardMachine.apply--→ next state --compareAndSet--→ Consensus
 *         ↑        lost: read what is new, and again      |
 *         |        unknown: the same again, or see        ↓
 *    VersionReader  ←------------- versions ------------- head, scan
 *    BothPlaces, Identity: whether the objects that are there are those of this state
 *    threads: any; one at a time of a process makes the next version
 * </pre>
 */
@NullMarked
package io.persist.shard.machine;

import org.jspecify.annotations.NullMarked;
