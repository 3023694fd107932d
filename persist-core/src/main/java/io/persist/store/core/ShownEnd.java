package io.persist.store.core;

import io.persist.log.engine.Log;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The end of the commits that each lookup finds from now on. A record is in the log, and a reader of it may have it, a
 * moment before that. So a reader of changes waits for this: then a lookup of a key that has changed finds that change,
 * or a later one.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
public final class ShownEnd {

    private final AtomicLong end;
    private final StoreLock lock;
    private final Log log;

    ShownEnd(long end, StoreLock lock, Log log) {
        this.end = new AtomicLong(end);
        this.lock = lock;
        this.log = log;
    }

    /** Lookups find all that is committed before {@code newEnd}, or take the lock. Under the lock. */
    void set(long newEnd) {
        end.setRelease(newEnd); // after what lookups without the lock look at; paired with the acquires below
    }

    /** A lookup that begins now finds all that is committed before this position. */
    public long get() {
        return end.getAcquire();
    }

    /**
     * Returns when lookups find what is before {@code position}, up to which a record was read from the log; or the
     * store has failed. Not in the middle of a call of the log, whose listener must not wait for the lock: there no key
     * can be looked up anyway.
     */
    public void await(long position) {
        if (end.getAcquire() < position && !log.isWithin()) {
            // Who has appended the record has, or had, the lock, and shows the changes before it gives that back.
            lock.with(() -> {}, () -> true);
        }
    }
}
