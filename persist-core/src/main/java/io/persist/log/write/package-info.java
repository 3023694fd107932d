/**
 * Appends records and ends commits: the path that must not wait, allocate or fault.
 *
 * <pre>
 *   append, claim                      commit                        close, by any thread
 *        | AppenderGate: which thread     | Commits: which level        | AppenderStack: whether the owner
 *        v                                v                             v    is in this appender still
 *   Appender: find the place, copy, checksum, publish  --→  positions (room sync)
 *        |                                ^
 *        v                                | filled space (room space)
 *   WriteWindow: the mapped segment, or a buffer that is written to the file
 *   threads: the one that appends
 * </pre>
 */
@NullMarked
package io.persist.log.write;

import org.jspecify.annotations.NullMarked;
