/**
 * Reads values where they lie in the log. What is handed out is a copy that was checked; while one is read its segment
 * stays mapped. What is in the page cache comes from the mapping, the rest from the file.
 *
 * <pre>
 *    place of a value (from the index) --→ ValueReader --→ LentBytes, until the next value
 *                                              |  SegmentHold: the mapped segment is not given back yet
 *                                              v
 *    files of the log --→ MappedSegments --→ MappedSegment    read anywhere
 *                              |                SegmentWarmth: mapped, or by a file of IdleFiles
 *          ReadBatch --→ ReadThreads            several reads of files at once
 *    threads: one per reader, which ReadThreads help; SegmentHolds and MappedSegments any
 * </pre>
 */
@NullMarked
package io.persist.store.value;

import org.jspecify.annotations.NullMarked;
