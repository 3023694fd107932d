/**
 * The control file of a log, and which process holds the log: one process writes the file, any number of processes read
 * it.
 *
 * <pre>
 *   the process that opens               other processes: readers, tools
 *        |  WriterHold: lock and mark          |  WriterPresence: is it there?
 *        v                                     v  WriterWatch: still?
 *   +--------------------- ControlFile ---------------------+
 *   |  mapped: positions, counters, epoch, boot, clean end  |
 *   +-------------------------------------------------------+
 *   LockWait: for how long the process that opens waits for the holder before
 *   NewLogHold: the lock alone, of what makes a log in an empty directory
 *   threads: to take the hold, one; to look, any
 * </pre>
 */
@NullMarked
package io.persist.log.control;

import org.jspecify.annotations.NullMarked;
