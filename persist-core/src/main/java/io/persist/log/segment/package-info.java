/**
 * The files of a log: how a segment comes into being, is mapped, is found again, and where its records end.
 *
 * <pre>
 *                    directory: LogFiles lists it
 *                              |
 *   SegmentFactory  ----→  segment file  ----→  Segment          the writer's: store, force, close
 *   creates, fills,            |         ----→  SegmentView      for reading: scan, search, archive, tools
 *   renames, syncs             |                 ├ FrameWalk      the loop over its frames
 *                              |                 └ StoredBytes    where what was stored ends; old bytes do not count
 *                         SegmentLayout: where a record will end
 *                         DirtyPages: records that are written again as they are
 *   threads: births on the one of the supply or of the opener, forces on the one that syncs, reads on any
 * </pre>
 */
@NullMarked
package io.persist.log.segment;

import org.jspecify.annotations.NullMarked;
