/**
 * Space ahead of the appender: the next segments, with blocks of their own under every byte, so that a full disk is an
 * exception here and never a fault in a store.
 *
 * <pre>
 *   thread of the supply            thread of the filler                thread that appends
 *   SegmentSupply: makes   --→   SegmentFiller: zeros, touches   --→   Headroom: what may be used,
 *   segments, or uses old        pages, has sealed ones synced         waits and reserve
 *   files again                       |  FillPolicy: how far               |
 *                                     +----→  FilledSpace  ←---------------+
 *                                                ↑
 *   any thread                                 SpaceBeforeAppend: for a record that is to come
 *
 *   Pacing: pauses that slow the appender down, taken by it, or before a record that is to come
 *   SpaceAhead: all of this, put together, as the room engine has it
 * </pre>
 */
@NullMarked
package io.persist.log.space;

import org.jspecify.annotations.NullMarked;
