package io.persist.tool.select;

import io.persist.error.Limits;

/**
 * Which records of a log are wanted: all that meet every bound.
 *
 * @param fromPosition the first position at which they may begin
 * @param toPosition the position before which they begin
 * @param fromSequence the first number
 * @param toSequence the last number
 * @param limit how many at most
 */
public record RecordRange(long fromPosition, long toPosition, long fromSequence, long toSequence, long limit) {

    /** Every record. */
    public static final RecordRange ALL = new RecordRange(0, Long.MAX_VALUE, 1, Long.MAX_VALUE, Long.MAX_VALUE);

    /** @throws IllegalArgumentException if a bound makes no sense */
    public RecordRange {
        Limits.check("fromPosition", fromPosition, 0, Long.MAX_VALUE);
        Limits.check("toPosition", toPosition, fromPosition, Long.MAX_VALUE);
        Limits.check("fromSequence", fromSequence, 1, Long.MAX_VALUE);
        Limits.check("toSequence", toSequence, fromSequence, Long.MAX_VALUE);
        Limits.check("limit", limit, 0, Long.MAX_VALUE);
    }

    /** The part of the range that begins before {@code position}. */
    public RecordRange before(long position) {
        long end = Math.max(fromPosition, Math.min(toPosition, position));
        return new RecordRange(fromPosition, end, fromSequence, toSequence, limit);
    }

    boolean contains(long position, long sequence) {
        return position >= fromPosition && sequence >= fromSequence && !isBehind(position, sequence);
    }

    /** Whether neither this record nor any later one is wanted. */
    boolean isBehind(long position, long sequence) {
        return position >= toPosition || sequence > toSequence;
    }
}
