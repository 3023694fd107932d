/**
 * What is done beside reading and writing, and can be done by any process at any time.
 *
 * <pre>
 *    ShardUpkeep   learn → expire → compact → collect → truncate → sweep
 *       Looks        when to ask for the newest state
 *       Compactor    CompactionPlan: which batches next → merge of the runs → Merges.replace
 *         LeftAlone  those that are damaged, or become too long: others are merged
 *       Collector    garbage that no reader holds; objects that no state names
 *    threads: one at a time for each shard of a process
 * </pre>
 */
@NullMarked
package io.persist.shard.upkeep;

import org.jspecify.annotations.NullMarked;
