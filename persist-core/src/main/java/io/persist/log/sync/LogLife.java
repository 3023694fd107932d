package io.persist.log.sync;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.event.LogFailureEvent;
import io.persist.event.Notices;
import io.persist.memory.MissingPage;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whether a log takes records: until its first failure, which stays, or until its closing begins.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none but for a failure.
 */
public final class LogLife {

    /** In place of a segment's base position. */
    static final long NO_SEGMENT = -1;

    private static final String NO_MORE = ", the log takes no more records until it is opened anew";

    /** The failure of a log that has no memory left to say more. */
    private final PersistException withoutMemory = new LogIOException(
            "out of memory" + NO_MORE, new OutOfMemoryError("there was none to say where the log has failed"));

    /** The same if its thread has no stack left. */
    private final PersistException withoutStack = new LogIOException(
            "out of stack" + NO_MORE, new StackOverflowError("there was none to say where the log has failed"));

    private final String directory;
    private volatile @Nullable PersistException failure;

    /** Woken by the failure, though it waits for no position; null if there is no such thread. */
    private volatile @Nullable Thread sleeper;

    /** The failure until the application's logging is told of it; under this object's lock. */
    private @Nullable PersistException unsaid;

    /** False once there is a failure or the closing has begun. */
    private volatile boolean writable = true;

    LogLife(String directory) {
        this.directory = directory;
    }

    /** Throws the first failure, if there was one. */
    void check() {
        PersistException first = failure;
        if (first != null) {
            MissingPage.dropHeld(); // what this thread has met itself: one exception is thrown for all
            throw first;
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** The first failure, null if there was none. */
    @Nullable
    PersistException failure() {
        return failure;
    }

    /**
     * Throws if the log takes no more records. One volatile load, which no compiler moves out of a loop: see {@code
     * CallingThread}.
     */
    void checkNotClosing() {
        if (!writable) {
            check();
            throw new IllegalStateException("logger is closed");
        }
    }

    /** Whether the log has neither failed nor begun to close: a volatile load. */
    public boolean isWritable() {
        return writable;
    }

    /** The log is being closed: {@link #checkNotClosing} throws from now on. */
    void beginClose() {
        writable = false;
    }

    /**
     * Ends the life by {@code cause}, unless a failure has before; returns the first one. Nothing that needs memory
     * comes before that is done.
     */
    synchronized PersistException fail(String what, long basePosition, Throwable cause) {
        PersistException first = failure;
        if (first == null) {
            first = exception(what, basePosition, cause);
            unsaid = first;
            failure = first;
            writable = false;
            tellOthers(what, basePosition, cause);
        }
        return first;
    }

    /** Has {@code thread}, which looks itself whether the log has failed, woken when it does. */
    public void wakes(Thread thread) {
        sleeper = thread;
    }

    /** Tells the application's logging of the failure, if there is one, and nobody has told it. */
    void say() {
        PersistException now = failure == null ? null : takeUnsaid();
        if (now != null) {
            Notices.failed(directory, now);
        }
    }

    private synchronized @Nullable PersistException takeUnsaid() {
        PersistException taken = unsaid;
        unsaid = null;
        return taken;
    }

    private PersistException exception(String what, long basePosition, Throwable cause) {
        try {
            return new LogIOException(place(what, basePosition) + " failed" + NO_MORE + ": " + cause, cause);
        } catch (OutOfMemoryError none) {
            return withoutMemory;
        } catch (StackOverflowError none) {
            return withoutStack;
        }
    }

    private static String place(String what, long basePosition) {
        return basePosition == NO_SEGMENT ? what : what + " " + basePosition;
    }

    /** A failure to do this must not keep the waiting threads from being told. */
    private void tellOthers(String what, long basePosition, Throwable cause) {
        try {
            LockSupport.unpark(sleeper);
            LogFailureEvent.record(directory, place(what, basePosition), cause);
        } catch (OutOfMemoryError | StackOverflowError | LinkageError none) {
            // The failure itself says the same.
        }
    }
}
