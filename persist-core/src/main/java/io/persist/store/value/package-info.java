/**
 * Reads values where they lie in the log. What is handed out is a copy that was checked; while one is read its segment
 * stays mapped.
 *
 * <pre>
 *    place of a value (from the index) --→ ValueReader --→ LentBytes, until the next value
 *                                              |
 *                           SegmentHold: the mapped segment is not given back yet
 *    threads: one per reader; SegmentHolds any
 * </pre>
 */
@NullMarked
package io.persist.store.value;

import org.jspecify.annotations.NullMarked;
