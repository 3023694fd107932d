package io.persist.memcached.item;

import java.util.concurrent.TimeUnit;

/** What a client's exptime means. */
public final class Expiry {

    /** A greater exptime is a time since 1970. */
    public static final long MAX_RELATIVE_SECONDS = TimeUnit.DAYS.toSeconds(30);

    /** Long ago: such an item is never seen. */
    private static final long AT_ONCE = 1;

    private Expiry() {}

    /** The second since 1970 at which an item with this exptime expires; {@link Item#NEVER}. */
    public static long secondsSince1970(long exptime, long nowSeconds) {
        if (exptime == 0) {
            return Item.NEVER;
        }
        if (exptime < 0) {
            return AT_ONCE;
        }
        return exptime <= MAX_RELATIVE_SECONDS ? nowSeconds + exptime : exptime;
    }
}
