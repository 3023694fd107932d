/**
 * The floors under all engines: files that are written with nothing around the messages.
 *
 * <pre>
 *    messages --→ BareCopyEngine        copied into a mapping that has been touched; Unprepared-: that has not
 *             --→ BareWriteEngine       written over zeros, in one call for each commit
 *             --→ BareSequentialEngine  written to the end of a file, as dd would
 *                      |
 *                  BareFile  ←-- BareReader
 *    threads: those of the trial; the others that a commit is given to say so
 * </pre>
 */
@NullMarked
package io.persist.peers.engine.bare;

import org.jspecify.annotations.NullMarked;
