/**
 * Tools that look at logs and repair them: dump, tail, walk, compare, verify, stats, repair, salvage, retain, backup,
 * restore, archive and cursors; and those for stores: get, scan, stats, checkpoint and compact. Each is a
 * {@link io.persist.tool.LogTool}, which works on a storage and prints to streams.
 * {@link io.persist.tool.ToolRunner} runs it on directories and turns what goes wrong into one line. The command lines
 * are in {@code io.persist.tool.verb}.
 *
 * <p>What a record is made of is asked of a {@link io.persist.tool.RecordDecoder}, chosen by the content of the log.
 *
 * <p>All but repair, retain, checkpoint and compact work on a log that is being written, without the writer's lock, and
 * change nothing; only cursors removes one that is not in use, and archive retires what it has packed, when told to.
 */
@NullMarked
package io.persist.tool;

import org.jspecify.annotations.NullMarked;
