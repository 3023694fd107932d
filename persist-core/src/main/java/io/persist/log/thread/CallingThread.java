package io.persist.log.thread;

import io.persist.memory.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
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
 * <p>A stack has the names of classes and not the things themselves. A user that is in another thing of these classes
 * is waited for too, unless there is a {@link Rule} that tells the two apart.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none, but to close.
 */
public final class CallingThread {

    /** Where a user is, as its stack tells. Each wait asks for one, so that it may keep what it has seen. */
    public interface Rule {

        /** Whether a user with this stack, innermost frame first, is inside; asked anew until it is not. */
        boolean isInside(StackTraceElement[] stack);
    }

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final VarHandle USER =
            FieldHandle.of(MethodHandles.lookup(), CallingThread.class, "user", Thread.class);

    private final Supplier<Rule> rules;

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
        this(rules(names(guarded), outside));
    }

    /** The thread of whose stacks {@code rules} tell whether it is inside. */
    public CallingThread(Supplier<Rule> rules) {
        this.rules = rules;
    }

    private static Supplier<Rule> rules(Set<String> guarded, Set<String> outside) {
        Rule rule = stack -> isIn(stack, guarded, outside);
        return () -> rule;
    }

    private static boolean isIn(StackTraceElement[] stack, Set<String> guarded, Set<String> outside) {
        for (StackTraceElement frame : stack) {
            if (guarded.contains(frame.getClassName()) && !outside.contains(frame.getMethodName())) {
                return true;
            }
        }
        return false;
    }

    /** The names that classes have on a stack. */
    public static Set<String> names(Set<Class<?>> classes) {
        return classes.stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());
    }

    /** The one of another thing of these classes: for things of which there are many, and soon others. */
    public CallingThread another() {
        return new CallingThread(rules);
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
        boolean[] hasBegun = new boolean[1];
        Runnable once = () -> {
            if (!isClosed) {
                awaitOutside();
                hasBegun[0] = true;
                end.run();
                isClosed = true; // not before: what an error cuts short can be tried again
            }
        };
        try {
            closing.hold(once);
        } catch (InternalError late) { // of a page that this thread has read before: nothing may stay open for that
            if (hasBegun[0]) {
                throw late;
            }
            closing.hold(once);
        }
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
        Rule rule = rules.get();
        while (rule.isInside(user.getStackTrace())) {
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
}
