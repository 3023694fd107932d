/**
 * Reads a log while it is written or not, in the writer's process or another one, without a lock.
 *
 * <pre>
 *   segments                            control block
 *      | room window: SegmentReader        | room visible: how far may be looked, and whether the log ends there
 *      v                                   v
 *   FrameCursor: step, check the checksum, show  --→  Tailer: next, poll, payload --→ application
 *      ^                                                 |
 *   TailerMoves: go to a place                      StoredCursor: where to go on after a restart
 *      | PositionSearch, SequenceSearch, FirstRecordSearch: where a place is
 *      | RepairWatch: a repair has cut the log
 *   threads: the one of the tailer; close any
 * </pre>
 */
@NullMarked
package io.persist.log.read;

import org.jspecify.annotations.NullMarked;
