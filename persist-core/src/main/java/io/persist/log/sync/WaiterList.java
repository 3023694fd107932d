package io.persist.log.sync;

import io.persist.log.Durability;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list of what waits for positions, the oldest first. Its links are the waiters themselves, so it needs
 * no memory.
 *
 * <p><b>Threads:</b> any. A thread that goes along the list holds the list's monitor.
 */
final class WaiterList {

    /** What waits for a position: a link of one list, whose monitor guards all fields. */
    abstract static class Waiter {
        long position;
        Durability level = Durability.BUFFERED;
        private boolean isListed;

        private @Nullable Waiter previous;
        private @Nullable Waiter next;

        /** The one that began to wait after it. */
        @Nullable
        Waiter next() {
            return next;
        }
    }

    private @Nullable Waiter oldest;
    private @Nullable Waiter newest;

    /** Changed under the monitor, and without a call: for that there may be no stack between it and the links. */
    private volatile int count;

    /** Puts a waiter at the end, which is in no list. After that the caller looks whether it has to wait at all. */
    void add(Waiter waiter) {
        synchronized (this) {
            count = count + 1;
            waiter.previous = newest;
            if (newest == null) {
                oldest = waiter;
            } else {
                newest.next = waiter;
            }
            newest = waiter;
            waiter.isListed = true;
        }
        // The count was stored before the look at the position. The partner is the fence in Waiters.signal.
        VarHandle.fullFence();
    }

    /** Takes a waiter out, if it is in the list. */
    synchronized void remove(Waiter waiter) {
        if (!waiter.isListed) {
            return;
        }
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            oldest = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            newest = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        waiter.isListed = false;
        count = count - 1;
    }

    /** The one that has waited longest. The caller holds the list's monitor. */
    @Nullable
    Waiter oldest() {
        return oldest;
    }

    /** How many there are, without the monitor. */
    int count() {
        return count;
    }
}
