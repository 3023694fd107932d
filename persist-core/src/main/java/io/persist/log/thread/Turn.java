package io.persist.log.thread;

import io.persist.memory.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock that no error leaves locked. The JVM reports a missing page of a mapping by an {@code InternalError} that may
 * come at any return of a method: right after a lock was taken, or just before it is given back. The locks of the JDK
 * change several fields one after the other; if the error comes in between, no thread can ever unlock them.
 *
 * <p>So the state of this lock is one word: the thread that has it. Giving back a lock that the thread does not have
 * does nothing. A thread gives the lock back in two {@code finally} blocks, one around the other: if an error stops the
 * inner one, the outer one runs, and there is never more than one error. A thread that still has the lock may take it.
 * A thread that waits looks again after a while, the first in the queue soon: a lost wake-up costs no more than that
 * time.
 *
 * <p>It is not reentrant, but for {@link #hold} and {@link #holdFor}: a thread that has the lock must not call code
 * that takes it, because the first give-back unlocks it for both.
 *
 * <p><b>Threads:</b> any; the one that has waited longest is woken, but another one may come before it.
 * <b>Allocation:</b> a link for a thread that has to park; without memory it waits all the same.
 */
public final class Turn {

    /** Some 20 microseconds: the lock is mostly held for less time than a thread needs to fall asleep and wake up. */
    private static final int SPINS = 300;

    /** Of the thread that is woken next. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Of those behind it. If each of many looked as often, they would leave no CPU for the one that has the lock. */
    private static final long RARE_LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long YIELD_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long YIELD_PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private static final VarHandle OWNER = FieldHandle.of(MethodHandles.lookup(), Turn.class, "owner", Thread.class);

    /**
     * Null if no thread has it. Stored by giveBack(), which pairs with the compare-and-set of the thread that takes it
     * next.
     */
    private volatile @Nullable Thread owner;

    private final ConcurrentLinkedQueue<Thread> parked = new ConcurrentLinkedQueue<>();

    /** Takes it if nobody has it; false if another thread does. */
    public boolean tryTake() {
        Thread current = Thread.currentThread();
        return owner == null && OWNER.compareAndSet(this, (Thread) null, current) || owner == current;
    }

    /** Takes it, as soon as nobody else has it. An interrupt is kept for later. */
    public void take() {
        boolean unused = takeUnless(() -> false, Long.MAX_VALUE);
    }

    /**
     * The same; false if the time was over first, or the thread does not need it any more: {@code isNeedless} is asked
     * at each look. Who can go on without the lock should: the thread that has it may be a virtual one that gets no
     * carrier, and the carriers may wait for the lock themselves.
     */
    public boolean takeUnless(BooleanSupplier isNeedless, long timeoutNs) {
        for (int spin = 0; spin < SPINS; spin++) {
            if (tryTake()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return park(isNeedless, timeoutNs);
    }

    /**
     * Takes it, runs {@code action} and gives it back. A thread that has it runs {@code action} only: it may be in
     * code of the application's that an outer one has called, and which closes what is being closed.
     */
    public void hold(Runnable action) {
        Turn unused = holdFor(() -> {
            action.run();
            return this;
        });
    }

    /** The same for what {@code action} returns. */
    public <T> T holdFor(Supplier<T> action) {
        if (isMine()) {
            return action.get();
        }
        try {
            try {
                take();
                return action.get();
            } finally {
                giveBack();
            }
        } finally {
            giveBack(); // if an error has stopped the inner one
        }
    }

    private boolean park(BooleanSupplier isNeedless, long timeoutNs) {
        Thread current = Thread.currentThread();
        long startNs = System.nanoTime();
        boolean interrupted = false;
        boolean isListed = true; // until it is known that it is not
        try {
            long lookNs = list(current) ? RARE_LOOK_NS : LOOK_NS;
            Thread seen = null;
            while (true) {
                long remainingNs = timeoutNs - (System.nanoTime() - startNs);
                // Before the look: the question may park this thread, and so use up the wake-up of this wait.
                if (remainingNs <= 0 || isNeedless.getAsBoolean()) {
                    return false;
                }
                Thread first = parked.peek();
                // Of many that look now and then each would come before its time, and from the middle of the queue. If
                // the same one is still the first, it may have got no wake-up, or not have taken itself out.
                if ((first == current || first == seen) && tryTake()) {
                    return true;
                }
                seen = first;
                LockSupport.parkNanos(this, Math.min(remainingNs, first == current ? LOOK_NS : lookNs));
                interrupted |= Thread.interrupted();
            }
        } finally {
            try {
                isListed = !parked.remove(current);
            } finally {
                if (isListed) { // it would get the wake-ups of others; to look in vain would be to look at all of them
                    parked.remove(current);
                }
                if (owner != current) {
                    wakeNext(); // this one may have been woken in its place, or what it has seen ends that wait too
                }
                if (interrupted) {
                    current.interrupt();
                }
            }
        }
    }

    /**
     * False if there is no memory for a link: then nobody wakes the thread, and it looks as often as the first. With an
     * error it could not give back what it holds.
     */
    private boolean list(Thread current) {
        try {
            return parked.add(current);
        } catch (OutOfMemoryError none) {
            return false;
        }
    }

    /** Gives it back, if this thread has it. */
    public void giveBack() {
        if (owner == Thread.currentThread()) {
            owner = null;
            // Volatile: stored before the look for waiting threads. Pairs with park(): listed before the look for an
            // owner.
            wakeNext();
        }
    }

    private void wakeNext() {
        Thread next = parked.peek();
        if (next != null) {
            LockSupport.unpark(next);
        }
    }

    /** Whether the current thread has it. */
    public boolean isMine() {
        return owner == Thread.currentThread();
    }

    /** Whether threads have given up spinning for it. */
    private boolean isAwaited() {
        return !parked.isEmpty();
    }

    /**
     * Lets waiting threads go first, for a moment at most: for work that would take the lock again and again before
     * another thread has woken up. It leaves the processor to them too, unless they are done at once.
     */
    public void letOthersGo() {
        for (int spin = 0; spin < SPINS && isAwaited(); spin++) {
            Thread.onSpinWait();
        }
        long startNs = System.nanoTime();
        while (isAwaited() && System.nanoTime() - startNs < YIELD_NS) {
            LockSupport.parkNanos(this, YIELD_PARK_NS);
        }
    }
}
