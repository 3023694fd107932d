/**
 * How far a log has come: published, committed, flushed, synced; the threads that wait for that; and the syncs that
 * move the last of these positions.
 *
 * <pre>
 *   appender: published, committed, flushed        filler: sealed segments
 *        |                                              | SegmentFinisher
 *        v                                              v
 *   LogPositions ←---- synced ---- Syncer: one thread leads, one force for all that wait
 *        |                            ^                       ^
 *        v signal                     | a thread that waits   | BackgroundSyncer: what nobody waits for
 *   Waiters, Listeners --→ Completion: wait, future, listener
 *   threads: any; a position has one thread that moves it
 * </pre>
 */
@NullMarked
package io.persist.log.sync;

import org.jspecify.annotations.NullMarked;
