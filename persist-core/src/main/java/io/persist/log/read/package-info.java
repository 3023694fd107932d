/**
 * Reads a log while it is written or not, in the writer's process or another one, without a lock.
 *
 * <pre>
 *   segments                            control block
 *      | room window: SegmentReader        | Visibility: how far may be looked
 *      v                                   v
 *   FrameCursor: step, check the checksum, show  --→  Tailer: next, poll, payload --→ application
 *      ^                                                 |
 *   TailerMoves, SequenceSearch: go to a place      StoredCursor: where to go on after a restart
 *   threads: the one of the tailer; close any
 * </pre>
 */
@NullMarked
package io.persist.log.read;

import org.jspecify.annotations.NullMarked;
