package io.persist.log.write;

import io.persist.log.space.Headroom;
import io.persist.log.thread.CallingThread;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Whether a thread is inside the appender of a log, as its stack tells a thread that closes the log: see {@link
 * CallingThread}.
 *
 * <p>A stack has the names of classes and not the things themselves: the thread may be in the same method of another
 * log, whose device hangs. So what may take long is in classes of its own, and is called only while the log says so,
 * after a look whether the log is closed, one look for each time. A thread that is in one of these while the log says
 * that nothing lasts is in another log, or has just come out of that part of this one, into which it does not come
 * again. So a thread that is seen there twice in a row is in another log, and outside of this one.
 *
 * <p><b>Threads:</b> the one that closes; there is one object for each wait.
 */
final class AppenderStack implements CallingThread.Rule {

    /** What touches mapped memory after the gate has let it in. */
    private static final Set<String> GUARDED =
            CallingThread.names(Set.of(Appender.class, AppenderPlace.class, Commits.class));

    /** Where the appender waits for space and for the device; called by those of {@code GUARDED} only. */
    private static final Set<String> LASTING =
            CallingThread.names(Set.of(MappedWindow.class, BufferWindow.class, Headroom.class));

    /** What the log says. It is a plain field of its appender's, to be asked after the stack. */
    private final BooleanSupplier lasts;

    private boolean wasElsewhere;

    private AppenderStack(BooleanSupplier lasts) {
        this.lasts = lasts;
    }

    /**
     * Those for a log in whose appender something lasts only while {@code lasts}. To be called when it is opened: the
     * thread that closes it may have no stack left for what this class begins with.
     */
    static Supplier<CallingThread.Rule> rules(BooleanSupplier lasts) {
        return () -> new AppenderStack(lasts);
    }

    @Override
    public boolean isInside(StackTraceElement[] stack) {
        boolean isElsewhere = isInWaitOfAnother(stack);
        boolean isOutside = nextCall(stack, 0) == stack.length || isElsewhere && wasElsewhere;
        wasElsewhere = isElsewhere;
        return !isOutside;
    }

    /** Whether it waits in the only call of an appender on its stack, while nothing lasts in this one. */
    private boolean isInWaitOfAnother(StackTraceElement[] stack) {
        int call = nextCall(stack, 0);
        if (call == stack.length || !LASTING.contains(stack[call].getClassName()) || lasts.getAsBoolean()) {
            return false;
        }
        int end = call;
        while (end < stack.length && isAppender(stack[end])) {
            end++;
        }
        return nextCall(stack, end) == stack.length; // else one has called the application, and may be of this log
    }

    /** Where the next call of an appender is from {@code from} on; the end of the stack if there is none. */
    private static int nextCall(StackTraceElement[] stack, int from) {
        int next = from;
        while (next < stack.length && !isAppender(stack[next])) {
            next++;
        }
        return next;
    }

    private static boolean isAppender(StackTraceElement frame) {
        return GUARDED.contains(frame.getClassName()) || LASTING.contains(frame.getClassName());
    }
}
