/**
 * The bytes of updates, and the one merge that snapshots, listeners and compaction read them with.
 *
 * <pre>
 *    updates --PartBuilder: encoded once, sorted if need be--→ RunWriter --→ parts of one run: in the state if short,
 *         else objects: PartStore --PartWriters: whole ones by other threads--→ blob; Writing says when they are there
 *    runs --RunReader--→ RowMerge: times advanced, diffs summed, zeros gone; of each run there is in memory
 *         one part: PartRows, or two pieces of one: OpenRuns, PartStream, RowWindow
 *    RecentParts what was just written, for listeners of the same client
 *    Row         a slice of a part: nothing is copied          PartArrays  the arrays of parts, used again
 *    PartBytes   a part: magic, format, shard, name, rows, CRC32C
 * </pre>
 */
@NullMarked
package io.persist.shard.batch;

import org.jspecify.annotations.NullMarked;
