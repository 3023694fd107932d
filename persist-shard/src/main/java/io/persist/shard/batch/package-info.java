/**
 * The bytes of updates, and the one merge that snapshots, listeners and compaction read them with.
 *
 * <pre>
 *    rows --sort, sum--→ RunWriter --→ parts of one run: in the state if short, else objects of the blob
 *    runs --RunReader: one part of each in memory--→ RowMerge: times advanced, diffs summed, zeros gone --→ rows
 *    PartBytes   a part: magic, format, shard, name, rows, CRC32C
 * </pre>
 */
@NullMarked
package io.persist.shard.batch;

import org.jspecify.annotations.NullMarked;
