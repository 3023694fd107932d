package io.persist.memcached.cache;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out cas numbers, each higher than all before, also after a restart. Some are reserved at a time: the log has
 * the reservation before it has an item with one of them, so an item that survives a crash never has a number that is
 * given again.
 *
 * <p><b>Threads:</b> any.
 */
final class CasNumbers {

    private static final long RESERVED_AT_ONCE = 1 << 20;

    private final Items items;
    private final AtomicLong last;
    private volatile long reserved; // written under the lock of this object, after the log has it

    CasNumbers(Items items) {
        this.items = items;
        this.reserved = items.firstCas();
        this.last = new AtomicLong(reserved);
    }

    /** A new one. */
    long next() {
        long next = last.incrementAndGet();
        if (next > reserved) {
            reserve(next);
        }
        return next;
    }

    private synchronized void reserve(long next) {
        if (next > reserved) {
            long most = next + RESERVED_AT_ONCE;
            items.reserveCas(most);
            reserved = most;
        }
    }

    /** The highest that an item can have, while nobody calls {@link #next}: what was not reserved was not used. */
    long last() {
        return Math.min(last.get(), reserved);
    }
}
