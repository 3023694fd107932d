package io.persist.log.sync;

import io.persist.log.Durability;
import io.persist.memory.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list of what waits for positions, the oldest first. Its links are the waiters themselves, so it needs
 * no memory.
 *
 * <p>Its lock has no queue. From JDK 24 on the next thread in the queue of a monitor may be a virtual one that has to
 * wait long for a carrier, and behind it waits the thread that syncs: with 20,000 virtual threads on one CPU that went
 * on for ever. Here whoever runs takes the lock. Its state is one word, and it is given back twice, as {@link
 * io.persist.log.thread.Turn} says; without a call, for which there may be no stack.
 *
 * <p><b>Threads:</b> any.
 */
final class WaiterList {

    /** What waits for a position: a link of one list, whose lock guards all fields. */
    abstract static class Waiter {
        long position;
        Durability level = Durability.BUFFERED;

        /** Set last, so that the one whose link it is may use it again as soon as it is not listed. */
        private volatile boolean isListed;

        private @Nullable Waiter previous;
        private @Nullable Waiter next;
    }

    /** What a thread does with one waiter after the other. It has the list's lock, so it must not wait. */
    interface Visitor {

        /** Returns whether to go on to the next one. It may take this one out, by {@link #takeOut}. */
        boolean visit(Waiter waiter);
    }

    private static final int SPINS = 100;
    private static final int YIELDS = 100;

    /** The thread that has the lock needs a CPU, which the yields of others need not leave to it. */
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final VarHandle HOLDER =
            FieldHandle.of(MethodHandles.lookup(), WaiterList.class, "holder", Thread.class);

    /** The thread that has the lock; null if none has it. */
    private volatile @Nullable Thread holder;

    private @Nullable Waiter oldest;
    private @Nullable Waiter newest;

    /** Changed under the lock, and without a call: for that there may be no stack between it and the links. */
    private volatile int count;

    /** Puts a waiter at the end, which is in no list. After that the caller looks whether it has to wait at all. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void add(Waiter waiter) {
        Thread self = Thread.currentThread();
        try {
            try {
                lock(self);
                count = count + 1;
                waiter.previous = newest;
                if (newest == null) {
                    oldest = waiter;
                } else {
                    newest.next = waiter;
                }
                newest = waiter;
                waiter.isListed = true;
            } finally {
                if (holder == self) {
                    holder = null;
                }
            }
        } finally {
            if (holder == self) {
                holder = null; // see Turn
            }
        }
        // The count was stored before the look at the position. The partner is the fence in Waiters.signal.
        VarHandle.fullFence();
    }

    /** Takes a waiter out, if it is in the list; returns whether it was. */
    boolean remove(Waiter waiter) {
        if (!waiter.isListed) { // as a thread that was woken is not
            return false;
        }
        Thread self = Thread.currentThread();
        try {
            try {
                lock(self);
                return takeOut(waiter);
            } finally {
                if (holder == self) {
                    holder = null;
                }
            }
        } finally {
            if (holder == self) {
                holder = null; // see Turn
            }
        }
    }

    /** Shows {@code visitor} the oldest first; returns the one with which it has ended, null if it has seen all. */
    @Nullable
    Waiter visit(Visitor visitor) {
        Thread self = Thread.currentThread();
        try {
            try {
                lock(self);
                Waiter waiter = oldest;
                while (waiter != null) {
                    Waiter after = waiter.next;
                    if (!visitor.visit(waiter)) {
                        return waiter;
                    }
                    waiter = after;
                }
                return null;
            } finally {
                if (holder == self) {
                    holder = null;
                }
            }
        } finally {
            if (holder == self) {
                holder = null; // see Turn
            }
        }
    }

    /** As {@link #remove}, for a visitor. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    boolean takeOut(Waiter waiter) {
        if (!waiter.isListed) {
            return false;
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
        count = count - 1;
        waiter.isListed = false;
        return true;
    }

    /** Whether it has waited longest; without the lock, so it is a guess. */
    boolean isOldest(Waiter waiter) {
        return oldest == waiter;
    }

    /** How many there are, without the lock. */
    int count() {
        return count;
    }

    private void lock(Thread self) {
        boolean interrupted = false;
        for (int round = 0; holder != null || !HOLDER.compareAndSet(this, (Thread) null, self); round++) {
            if (round < SPINS) {
                Thread.onSpinWait();
            } else if (round < SPINS + YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, PAUSE_NS);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            self.interrupt();
        }
    }
}
