package io.persist.memcached.cache;

import io.persist.error.IndexFullException;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out cas numbers, each higher than all before, also after a restart. Many are reserved at a time: the device has
 * the reservation before anybody sees one of them. So a client's cas never meets another item with the number that it
 * knows, whatever a power cut has taken.
 *
 * <p><b>Threads:</b> any.
 */
final class CasNumbers {

    /** Enough for most lives of a server: a reservation later on holds up the thread that has to store. */
    private static final long RESERVED_AT_ONCE = 1L << 32;

    private final Items items;
    private final AtomicLong last;
    private volatile long reserved; // written under the lock of this object, after the device has it

    CasNumbers(Items items) {
        this.items = items;
        this.reserved = items.firstCas();
        this.last = new AtomicLong(reserved);
        try {
            reserve(reserved + 1);
        } catch (LogFullException | IndexFullException | LogIOException e) {
            items.throwIfFailed(e); // else what is there can be read, and the first change tries again
        }
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
