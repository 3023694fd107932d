/**
 * Which records of a log a tool takes, and why there is no further one.
 *
 * <pre>
 *   RecordRange, SkipAndLimit: what was asked for
 *      |
 *      v
 *   RecordSource: reads on, over vacated segments --→ RecordSelection: takes it, passes it, or is full
 *      |                                              SequenceGaps: counts what is gone
 *      v
 *   Ending: the end of the log, a torn tail, or damage
 *   threads: the one that calls
 * </pre>
 */
@NullMarked
package io.persist.tool.select;

import org.jspecify.annotations.NullMarked;
