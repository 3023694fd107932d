/**
 * All records of a damaged log that verify, wherever they lie, shown or written as a log of their own.
 *
 * <pre>
 *    segments, bytes put aside --→ GoodFrames: the frames that verify
 *                                      |
 *    LogInspector: what is wrong --→ LogSalvage --→ a handler, or SalvagedSegments: a new log with the same places
 *    threads: the tool's
 * </pre>
 */
@NullMarked
package io.persist.tool.salvage;

import org.jspecify.annotations.NullMarked;
