package io.persist.detached;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What producers want of the writer thread beside the records: up to where to flush and to sync. Later requests include
 * earlier ones, so the highest position of each is enough.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
final class Requests {

    private final AtomicLong flush = new AtomicLong();
    private final AtomicLong sync = new AtomicLong();
    private final AtomicLong syncs = new AtomicLong();

    void flushTo(long position) {
        raise(flush, position);
    }

    void syncTo(long position) {
        raise(sync, position);
        syncs.incrementAndGet();
    }

    private static void raise(AtomicLong highest, long position) {
        if (highest.get() < position) { // mostly a load
            highest.accumulateAndGet(position, Math::max);
        }
    }

    /** Up to where everything has to be flushed. */
    long flushPosition() {
        return flush.get();
    }

    /** Up to where everything has to be synced. */
    long syncPosition() {
        return sync.get();
    }

    /** How many syncs were asked for since the log was opened. */
    long syncCount() {
        return syncs.get();
    }
}
