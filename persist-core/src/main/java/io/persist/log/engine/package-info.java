/**
 * The log that is open for writing: puts the other rooms together, and is all that the packages above call to write.
 *
 * <pre>
 *   LogConfig
 *        |
 *   LogOpener: hold, recover, assemble --→ Log --→ append, commit (write), await (sync), tailer (read), retire
 *                                           |
 *                                      LogClosing: sync, stop the threads, give the hold back
 *   threads: one appends; any other may wait, read, look and close
 * </pre>
 */
@NullMarked
package io.persist.log.engine;

import org.jspecify.annotations.NullMarked;
