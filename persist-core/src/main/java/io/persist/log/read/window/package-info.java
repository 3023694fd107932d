/**
 * The bytes of one segment, as a reader gets at them: by a mapping, or by a buffer that is read from the file.
 *
 * <pre>
 *    FrameCursor: at an offset
 *         |
 *    SegmentReader: the segment's file, its header, the length at a place
 *         |
 *    ReadWindow --→ mapped, as far as the reader has come      FileWindow --→ a buffer, filled by reads
 *         +--------------------- ReadMemory: one buffer for all segments of a tailer ----+
 *                                RecordRun: the records of it that are verified already
 *    threads: the one of the tailer
 * </pre>
 */
@NullMarked
package io.persist.log.read.window;

import org.jspecify.annotations.NullMarked;
