package io.persist.memcached.cache;

/**
 * What flush_all leaves behind: a number instead of the removal of each item, so that it takes no longer for many items
 * than for few.
 *
 * @param cas items with this cas number or a lower one are gone
 * @param atSecond when all items that are there then go, in seconds since 1970; {@link #NOT_PENDING}
 */
public record FlushMark(long cas, long atSecond) {

    static final long NOT_PENDING = 0;

    static final FlushMark NONE = new FlushMark(0, NOT_PENDING);

    boolean isDue(long nowSeconds) {
        return atSecond != NOT_PENDING && atSecond <= nowSeconds;
    }
}
