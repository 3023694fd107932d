/**
 * Persist: an embeddable journal. What belongs into this package is what a user meets first; see {@link
 * io.persist.MessageLogger}.
 *
 * <p>Priorities, ranked; every trade-off is settled by them:
 *
 * <ol>
 *   <li>What was acknowledged is never lost within the stated contract; a damaged log never yields a wrong record.
 *   <li>No surprise on the append path: bounded work, no allocation, no page fault, no lock shared with readers.
 *   <li>A newcomer can read the whole core in an afternoon.
 *   <li>Everything else.
 * </ol>
 *
 * <p>Critical paths of special focus: {@code Appender.append} and {@code commit}, {@code Tailer.next}. Everything off
 * these paths is written for clarity first.
 *
 * <pre>
 *   io.persist          the loggers                                   ↓ uses
 *   io.persist.packet   several messages as one record                ↓
 *   io.persist.log      segments as one stream: append, tail, recover ↓
 *   io.persist.cursor   named cursors: their files and locks          ↓
 *   io.persist.file     bytes on disk                                 ↓
 *   io.persist.format   bytes in memory                               ↓
 *   io.persist.error    what can go wrong
 * </pre>
 */
@NullMarked
package io.persist;

import org.jspecify.annotations.NullMarked;
