package io.persist.memcached.cache;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** What was done since the process began. Each counter is named as memcached's. Any thread may use it. */
public final class Counters {

    /** In the order in which memcached tells them. */
    public enum Counter {
        CMD_GET,
        CMD_SET,
        CMD_FLUSH,
        CMD_TOUCH,
        GET_HITS,
        GET_MISSES,
        GET_EXPIRED,
        GET_FLUSHED,
        DELETE_MISSES,
        DELETE_HITS,
        INCR_MISSES,
        INCR_HITS,
        DECR_MISSES,
        DECR_HITS,
        CAS_MISSES,
        CAS_HITS,
        CAS_BADVAL,
        TOUCH_HITS,
        TOUCH_MISSES,
        STORE_TOO_LARGE,
        STORE_NO_MEMORY,
        BYTES_READ,
        BYTES_WRITTEN,
        TOTAL_CONNECTIONS,
        REJECTED_CONNECTIONS,
        TOTAL_ITEMS,
        RECLAIMED;

        /** As clients know it. */
        public String statName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final LongAdder[] values = new LongAdder[Counter.values().length];

    /** All are zero. */
    public Counters() {
        Arrays.setAll(values, i -> new LongAdder());
    }

    /** One more. */
    public void count(Counter counter) {
        add(counter, 1);
    }

    /** So many more. */
    public void add(Counter counter, long more) {
        values[counter.ordinal()].add(more);
    }

    /** How many it are. */
    public long value(Counter counter) {
        return values[counter.ordinal()].sum();
    }

    /** As stats reset does. */
    public void reset() {
        for (LongAdder value : values) {
            value.reset();
        }
    }
}
