package io.persist.tool;

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
        require("fromPosition", fromPosition, 0, Long.MAX_VALUE);
        require("toPosition", toPosition, fromPosition, Long.MAX_VALUE);
        require("fromSequence", fromSequence, 1, Long.MAX_VALUE);
        require("toSequence", toSequence, fromSequence, Long.MAX_VALUE);
        require("limit", limit, 0, Long.MAX_VALUE);
    }

    private static void require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + ", min=" + min + ", max=" + max);
        }
    }

    /** The part of the range that begins before {@code position}. */
    RecordRange before(long position) {
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
