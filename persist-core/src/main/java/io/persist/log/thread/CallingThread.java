package io.persist.log.thread;

import io.persist.memory.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread close what another one may be using, at no cost for the user: no lock, no fence, no counter. What is
 * closed is unmapped, and on JDK 17 a thread that touches an unmapped page ends the JVM.
 *
 * <p>The user calls {@link #enter}, and then looks whether the thing is closed, by a volatile load, before it touches
 * anything, in each call and within the classes that are guarded. The closing thread stores that it is closed, by a
 * volatile store, and then calls {@link #awaitOutside()}. So one of two things happens: the user sees that the thing is
 * closed; or the closing thread sees the user, and waits until the user has left the classes.
 *
 * <p>The user's stack tells that it has left. {@link Thread#getStackTrace} stops the other thread at a safepoint, or
 * finds it in native code or parked, from where it does not come back without looking whether it is to stop: a barrier
 * for both that only one of them pays for. A thread that is stopped outside of the classes looks whether the thing
 * is closed before it touches anything again, and finds it so. For that, whatever touches it in a call that has looked
 * has a guarded method below it on the stack, from the look on.
 *
 * <p>A stack has the names of classes and not the things themselves: the user may be in the same method of another log,
 * whose device hangs. So the methods that may take long can be in classes of their own, {@code lasting}, and run only
 * while the thing says so, after a look in the same call, one look for each time. A user that is in one of these while
 * the thing says that nothing lasts is in another thing, or has just come out of this one; in there it does not come
 * again. So a user that is seen there twice is in another thing, and outside of this one.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none, but to close.
 */
public final class CallingThread {

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final VarHandle USER =
            FieldHandle.of(MethodHandles.lookup(), CallingThread.class, "user", Thread.class);

    private final Set<String> guarded;
    private final Set<String> outside;
    private final Set<String> lasting;
    private final BooleanSupplier lasts;

    /**
     * Of the thread that closes the thing. No monitor: on JDK 21 to 23 a virtual thread that parks in one keeps its
     * carrier, and the user that it waits for may need that to leave.
     */
    private final Turn closing = new Turn();

    /** Guarded by {@link #closing}. */
    private boolean isClosed;

    /** The last one. Only a thread itself stores itself here, so a plain load that finds it is right. */
    private @Nullable Thread user;

    /**
     * The thread that calls methods of any class of {@code guarded}.
     *
     * @param outside the methods of these classes that touch nothing themselves without another guarded method: those
     *     that run code of the application's, after which the thread looks again whether the thing is closed; and those
     *     of {@link #close}, in which the user itself may wait until another thread has closed the thing. A user that
     *     is in other methods too, further out on its stack, is inside: these may have called the application as well
     */
    public CallingThread(Set<Class<?>> guarded, Set<String> outside) {
        this(names(guarded), outside, Set.of(), () -> false);
    }

    /**
     * The same, where a user that is in what lasts of another thing is not waited for.
     *
     * @param lasting classes that are called only by those of {@code guarded}, and only while the thing says so
     * @param lasts what the thing says; it is a plain field of the user's, to be asked after its stack
     */
    public CallingThread(Set<Class<?>> guarded, Set<Class<?>> lasting, BooleanSupplier lasts) {
        this(names(guarded), Set.of(), names(lasting), lasts);
    }

    private CallingThread(Set<String> guarded, Set<String> outside, Set<String> lasting, BooleanSupplier lasts) {
        this.guarded = guarded;
        this.outside = outside;
        this.lasting = lasting;
        this.lasts = lasts;
    }

    private static Set<String> names(Set<Class<?>> classes) {
        return classes.stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());
    }

    /** The one of another thing of these classes: for things of which there are many, and soon others. */
    public CallingThread another() {
        return new CallingThread(guarded, outside, lasting, lasts);
    }

    /** The current thread is the user. To be followed by a volatile look whether the thing is closed. */
    public void enter() {
        Thread current = Thread.currentThread();
        if (user != current) {
            // Volatile: stored before the look whether it is closed. Pairs with awaitOutside: closed, then this load.
            USER.setVolatile(this, current);
        }
    }

    /**
     * Closes the thing by {@code end} once the user is outside. A second thread that calls this returns when that has
     * ended. To be called after a volatile store that the thing is closed. If {@code end} throws, the next call runs it
     * once more.
     */
    public void close(Runnable end) {
        closing.hold(() -> {
            if (!isClosed) {
                awaitOutside();
                end.run();
                isClosed = true; // not before: what an error cuts short can be tried again
            }
        });
    }

    /**
     * Returns when the user, if it is another thread, is outside of the classes. To be called after a volatile store
     * that the thing is closed.
     */
    public void awaitOutside() {
        awaitOutside((Thread) USER.getVolatile(this));
    }

    /** The same with a {@code user} that is known otherwise; null if there is none. */
    public void awaitOutside(@Nullable Thread user) {
        if (user == null || user == Thread.currentThread()) {
            return;
        }
        boolean interrupted = false;
        boolean wasElsewhere = false;
        for (Whereabouts at = whereabouts(user); at != Whereabouts.OUTSIDE; at = whereabouts(user)) {
            if (at == Whereabouts.ELSEWHERE && wasElsewhere) {
                break;
            }
            wasElsewhere = at == Whereabouts.ELSEWHERE;
            LockSupport.parkNanos(user, PAUSE_NS);
            interrupted |= Thread.interrupted();
        }
        // What the user has stored comes before what follows. The partner is the safepoint at which its stack was
        // taken.
        VarHandle.fullFence();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where the user is. */
    private Whereabouts whereabouts(Thread user) {
        Whereabouts place = Whereabouts.OUTSIDE;
        boolean isInGroup = false;
        for (StackTraceElement frame : user.getStackTrace()) {
            String type = frame.getClassName();
            boolean isLasting = lasting.contains(type);
            boolean isKnown = isLasting || guarded.contains(type);
            if (isLasting && place == Whereabouts.OUTSIDE) {
                place = lasts.getAsBoolean() ? Whereabouts.INSIDE : Whereabouts.ELSEWHERE;
            } else if (isKnown
                    && (place == Whereabouts.OUTSIDE || !isInGroup)
                    && !outside.contains(frame.getMethodName())) {
                return Whereabouts.INSIDE; // maybe: a thing has called the application, which has called another one
            }
            isInGroup = isKnown;
        }
        return place;
    }

    private enum Whereabouts {
        OUTSIDE,

        /** Or in another thing. */
        INSIDE,

        /** In what lasts of another thing, unless it has just come out of that of this one. */
        ELSEWHERE
    }
}
