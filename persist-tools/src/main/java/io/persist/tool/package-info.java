/**
 * What all tools have in common. A tool is a {@link io.persist.tool.LogTool}: it works on a storage and prints to
 * streams. {@link io.persist.tool.ToolRunner} runs it on directories and turns what goes wrong into one line. The tools
 * are in the rooms beside this one, the command lines in {@code io.persist.tool.verb}.
 *
 * <pre>
 *   directories                      lines on two streams, an ExitCode
 *      |                                ^
 *      v                                |
 *   ToolRunner: opens each storage  --→  LogTool (rooms read, stats, store, repair, copy)
 *                                          StorePlace: where the checkpoints of a store are
 *   threads: the one that calls
 * </pre>
 *
 * <p>All tools but repair, retain, checkpoint and compact work on a log that is being written, without the writer's
 * lock, and change nothing; only cursors removes one that is not in use, and archive retires what it has packed, when
 * told to.
 */
@NullMarked
package io.persist.tool;

import org.jspecify.annotations.NullMarked;
