package io.persist.log.sync;

import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.Registration;
import io.persist.log.sync.WaiterList.Waiter;
import io.persist.log.thread.OnInterrupt;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads, futures and listeners that wait for positions of a log. The thread that moves a position calls {@link
 * #signal}, which costs a fence and a look at a counter if nothing waits.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none for a thread that waits, but for its first time, and the first after
 * a collection of garbage.
 */
public final class Waiters {

    private static final long LONGEST_PARK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * What a thread waits with. Held weakly, but for the list while it waits: a thread of a pool outlives the class
     * loader of an application that was deployed in it, and would keep all classes.
     */
    private static final ThreadLocal<@Nullable WeakReference<Parked>> PARKED = new ThreadLocal<>();

    /** A thread that waits. */
    static final class Parked extends Waiter {

        private final Thread thread = Thread.currentThread();
        private boolean isInUse;
        private boolean interrupted;

        /** Whether it can take its turn to sync. */
        private boolean leads;

        /** That of the current thread. */
        static Parked own() {
            WeakReference<Parked> kept = PARKED.get();
            Parked own = kept == null ? null : kept.get();
            if (own == null) {
                own = new Parked();
                PARKED.set(new WeakReference<>(own));
            }
            return own;
        }

        /**
         * Parks until the thread is signalled or the time is over, or for a shorter time: a late error may have come
         * between a position and its signal. The interrupt flag is set again later; returns whether there was an
         * interrupt.
         */
        boolean park(long timeoutNs) {
            LockSupport.parkNanos(this, Math.min(timeoutNs, LONGEST_PARK_NS));
            interrupted |= Thread.interrupted();
            return interrupted;
        }
    }

    private static final class Promised extends Waiter {
        final CompletableFuture<Long> future = new CompletableFuture<>();

        /** The one that was taken out of the list after it. */
        @Nullable
        Promised nextTaken;
    }

    private final LogPositions positions;
    private final WaiterList list = new WaiterList();
    private final Object signalling = new Object();
    private final Listeners listeners;

    private @Nullable Thread syncThread;

    /** Guarded by {@code signalling}; only to be reused. */
    private final ArrayList<Thread> woken = new ArrayList<>();

    Waiters(LogPositions positions) {
        this.positions = positions;
        this.listeners = new Listeners(positions);
    }

    /**
     * Waits until everything before {@code position} has {@code level}, which another thread has to bring about. Runs
     * {@code meanwhile} at least ten times a second.
     *
     * @return false if the time ran out first, or an interrupt has ended it
     */
    boolean await(long position, Durability level, long timeoutNs, OnInterrupt onInterrupt, Runnable meanwhile) {
        if (positions.reached(level) >= position) {
            return true;
        }
        long startNs = System.nanoTime();
        Parked self = enlist(position, level, false);
        boolean ends = false;
        try {
            while (positions.reached(level) < position) {
                positions.checkNotEnded();
                long remainingNs = timeoutNs - (System.nanoTime() - startNs);
                if (ends || remainingNs <= 0) {
                    return false;
                }
                ends = self.park(remainingNs) && onInterrupt == OnInterrupt.END;
                meanwhile.run();
            }
            return true;
        } finally {
            dismiss(self);
        }
    }

    /**
     * Lists the current thread as waiting for a sync, or for its turn to sync. After that it looks whether that is
     * there already: from now on the thread that moves the position, or gives the turn away, wakes it.
     */
    Parked enlistToLead(long position) {
        return enlist(position, Durability.SYNCED, true);
    }

    private Parked enlist(long position, Durability level, boolean leads) {
        Parked kept = Parked.own();
        Parked self = kept.isInUse ? new Parked() : kept; // in a wait, a listener may wait for another log
        self.isInUse = true;
        self.position = position;
        self.level = level;
        self.leads = leads;
        list.add(self);
        return self;
    }

    /** Ends the wait of the current thread. */
    void dismiss(Parked self) {
        list.remove(self);
        self.isInUse = false;
        if (self.interrupted) {
            self.interrupted = false;
            Thread.currentThread().interrupt();
        }
    }

    /** A future that is completed with the end of what has {@code level} once that is {@code position} or more. */
    @SuppressWarnings("FutureReturnValueIgnored") // the one of the step that takes it out, which cannot fail
    CompletableFuture<Long> reached(long position, Durability level) {
        Promised promised = new Promised();
        promised.position = position;
        promised.level = level;
        list.add(promised);
        // Also if the caller cancels it, or its time is over: no future that it depends on would learn that.
        promised.future.whenComplete((end, thrown) -> list.remove(promised));
        complete(promised); // it may be there already. No signal: this thread may hold locks that a listener wants
        return promised.future;
    }

    /** Has {@code listener} told each time more has {@code level}, and if the log fails; throws if it has failed. */
    Registration listen(Durability level, PositionListener listener) {
        Registration registration = listeners.add(level, listener);
        if (positions.hasFailed()) { // after it was added: the thread that fails the log tells those that it finds
            registration.close();
            positions.check();
        }
        return registration;
    }

    /** Says which thread syncs in the background; to be called before the log is used. */
    void syncedBy(Thread thread) {
        syncThread = thread;
    }

    /**
     * Whether the current thread is the one that syncs in the background, and so in a listener or the step of a future.
     * What waits there for the log may wait for this very thread.
     */
    public boolean isInBackground() {
        return Thread.currentThread() == syncThread;
    }

    /** Whether the current thread is in a listener. */
    public boolean isTelling() {
        return listeners.isTelling();
    }

    /** How many threads and futures wait. */
    public int count() {
        return list.count();
    }

    /** Wakes those whose position is reached, or all if the log has ended. */
    public void signal() {
        // The position, or the failure, was stored before the look at the lists. Its partners are the fences in
        // WaiterList.add and Listeners.add.
        VarHandle.fullFence();
        if (list.count() == 0 && listeners.isEmpty()) {
            return;
        }
        Promised kept = null;
        try {
            synchronized (signalling) {
                kept = takeReached();
                woken.forEach(LockSupport::unpark);
                woken.clear();
            }
            listeners.tell();
        } finally {
            completeAll(kept);
        }
    }

    /**
     * The same for a log that has ended, again and again as long as there is no memory for it: nobody signals later.
     */
    public void signalLast() {
        boolean isDone = false;
        while (!isDone) {
            try {
                signal();
                isDone = true;
            } catch (OutOfMemoryError none) {
                Thread.yield();
            }
        }
    }

    /**
     * Takes out of the list whoever need not wait any more: threads into {@link #woken}, and futures into a list of
     * their own, which needs no memory. Returns the first of these.
     */
    private @Nullable Promised takeReached() {
        Promised first = null;
        Promised last = null;
        try {
            synchronized (list) {
                for (Waiter waiter = list.oldest(); waiter != null; ) {
                    Waiter after = waiter.next();
                    if (positions.reached(waiter.level) >= waiter.position || positions.hasEnded()) {
                        if (waiter instanceof Parked parked) {
                            woken.add(parked.thread); // before it is taken out: there may be no memory
                        } else if (last == null) {
                            first = (Promised) waiter;
                            last = first;
                        } else {
                            last.nextTaken = (Promised) waiter;
                            last = last.nextTaken;
                        }
                        list.remove(waiter);
                    }
                    waiter = after;
                }
            }
            return first;
        } catch (Throwable e) {
            completeAll(first);
            throw e;
        }
    }

    private void completeAll(@Nullable Promised first) {
        Promised promised = first;
        try {
            while (promised != null) {
                complete(promised);
                promised = promised.nextTaken;
            }
        } finally {
            while (promised != null) { // listed for the next signal: there was no memory to complete it
                Promised after = promised.nextTaken;
                promised.nextTaken = null;
                list.add(promised);
                promised = after;
            }
        }
    }

    private void complete(Promised promised) {
        try {
            long reached = positions.reached(promised.level);
            if (reached >= promised.position) {
                promised.future.complete(reached);
            } else {
                positions.checkNotEnded();
            }
        } catch (PersistException | IllegalStateException e) {
            promised.future.completeExceptionally(e);
        }
    }

    /**
     * Wakes the thread that has waited longest of those that can take their turn to sync, if there is one. A thread
     * that only waits for a sync of others must not be woken in its place: no thread would sync.
     */
    void wakeNextLeader() {
        if (list.count() == 0) {
            return;
        }
        Thread thread = null;
        synchronized (list) {
            for (Waiter waiter = list.oldest(); waiter != null && thread == null; waiter = waiter.next()) {
                if (waiter instanceof Parked parked && parked.leads) {
                    thread = parked.thread;
                }
            }
        }
        LockSupport.unpark(thread);
    }
}
