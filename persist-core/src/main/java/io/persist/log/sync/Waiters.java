package io.persist.log.sync;

import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.Registration;
import io.persist.log.sync.Signal.Promised;
import io.persist.log.sync.WaiterList.Visitor;
import io.persist.log.sync.WaiterList.Waiter;
import io.persist.log.thread.OnInterrupt;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads, futures and listeners that wait for positions of a log. The thread that moves a position calls {@link
 * #signal}, which costs a fence and a look at a counter if nothing waits.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none for a thread that waits, but for its first time, and the first after
 * a collection of garbage.
 */
public final class Waiters {

    /** Of the thread that has waited longest: a late error may have come in place of its wake-up. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Of the others. If each of many looked as often, they would leave no CPU for those who have something to do. */
    private static final long RARE_LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    /** Ends at the first thread. */
    private static final Visitor THREAD = waiter -> !(waiter instanceof Parked);

    /** Ends at the first one that can take its turn to sync. */
    private static final Visitor LEADER = waiter -> !(waiter instanceof Parked parked && parked.leads);

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
        private boolean hasParked;

        /** Whether it can take its turn to sync. */
        private boolean leads;

        Thread thread() {
            return thread;
        }

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
    }

    private final LogPositions positions;
    private final WaiterList list = new WaiterList();
    private final Listeners listeners;
    private final Visitor unpublished = this::wakeIfUnpublished;

    private @Nullable Thread syncThread;

    /** Of the last signal, for the next one; null while one uses it. Two at a time do not wait for each other. */
    private final AtomicReference<@Nullable Signal> spare = new AtomicReference<>();

    Waiters(LogPositions positions) {
        this.positions = positions;
        this.listeners = new Listeners(positions);
    }

    /**
     * Waits until everything before {@code position} has {@code level}, which another thread has to bring about. Calls
     * {@code meanwhile} with the position at least once a second.
     *
     * @return false if the time ran out first, or an interrupt has ended it
     */
    boolean await(long position, Durability level, long timeoutNs, OnInterrupt onInterrupt, LongConsumer meanwhile) {
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
                ends = park(self, remainingNs) && onInterrupt == OnInterrupt.END;
                meanwhile.accept(position);
            }
            return true;
        } finally {
            dismiss(self);
        }
    }

    /**
     * Parks the current thread until it is signalled or the time is over, or for a shorter time. The interrupt flag is
     * set again later; returns whether there was an interrupt.
     */
    boolean park(Parked self, long timeoutNs) {
        self.hasParked = true;
        LockSupport.parkNanos(self, Math.min(timeoutNs, list.isOldest(self) ? LOOK_NS : RARE_LOOK_NS));
        self.interrupted |= Thread.interrupted();
        return self.interrupted;
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
        self.hasParked = false;
        list.add(self);
        return self;
    }

    /** Ends the wait of the current thread. */
    void dismiss(Parked self) {
        boolean isUntold = list.remove(self) && self.hasParked;
        self.isInUse = false;
        if (self.interrupted) {
            self.interrupted = false;
            Thread.currentThread().interrupt();
        }
        if (isUntold) { // what this one has seen may be for the next one too, which looks often from now on
            wakeFirst(THREAD);
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
        // It may be there already. No signal: this thread may hold locks that a listener wants.
        promised.complete(positions);
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
        Signal last = spare.get();
        boolean isTold = last == null || last.isTold(); // else it has futures that are in no list
        if (isTold && list.count() == 0 && listeners.isEmpty()) {
            return;
        }
        Signal kept = spare.getAndSet(null);
        Signal signal = kept == null ? new Signal(positions, list) : kept;
        try {
            tell(signal);
        } finally {
            keep(signal);
        }
    }

    /** Keeps it for the next signal, with what an error has kept it from telling. */
    private void keep(Signal signal) {
        Signal other = spare.getAndSet(signal); // of another thread, which has told at the same time
        if (other != null) {
            other.completeFutures();
        }
    }

    private void tell(Signal signal) {
        try {
            try {
                try {
                    list.visit(signal);
                } finally {
                    signal.wakeThreads();
                }
            } finally {
                signal.wakeThreads(); // see Turn
            }
            listeners.tell();
        } finally {
            signal.completeFutures();
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
     * Wakes the thread that has waited longest of those that can take their turn to sync, if there is one. A thread
     * that only waits for a sync of others must not be woken in its place: no thread would sync.
     */
    void wakeNextLeader() {
        wakeFirst(LEADER);
    }

    private void wakeFirst(Visitor search) {
        if (list.count() > 0 && list.visit(search) instanceof Parked parked) {
            LockSupport.unpark(parked.thread);
        }
    }

    /**
     * Has the threads look around that wait for what is not published: it may be refused, which they ask for {@code
     * meanwhile}. No signal tells them.
     */
    void wakeUnpublished() {
        list.visit(unpublished);
    }

    private boolean wakeIfUnpublished(Waiter waiter) {
        if (waiter instanceof Parked parked && waiter.position > positions.published()) {
            LockSupport.unpark(parked.thread);
        }
        return true;
    }
}
