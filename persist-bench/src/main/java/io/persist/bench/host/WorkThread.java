package io.persist.bench.host;

import io.persist.log.thread.LogThread;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Work in a thread of its own, and how it has ended. A task of an executor needs memory to say what it died of: on a
 * full heap it never does, and whoever waits for it waits for ever. Here the thread's end is all that is waited for.
 *
 * <p><b>Threads:</b> any may wait.
 *
 * @param <T> what comes of it
 */
public final class WorkThread<T extends @Nullable Object> {

    private static final long NS_PER_MS = 1_000_000;

    private final Thread thread;

    /** Null once it has begun: a thread that ends on a full heap stays in its group for good, with all that it has. */
    private @Nullable Callable<T> work;

    // Read when the thread has ended.
    private @Nullable T result;
    private @Nullable Throwable failure;

    /** A daemon, not started yet. */
    public WorkThread(String name, Callable<T> work) {
        this.work = work;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        LogThread.join(thread); // returns at once; on a full heap that class could not be loaded any more
    }

    /** Makes one, and starts it. */
    public static <T extends @Nullable Object> WorkThread<T> start(String name, Callable<T> work) {
        WorkThread<T> made = new WorkThread<>(name, work);
        made.start();
        return made;
    }

    public void start() {
        thread.start();
    }

    private void run() {
        Callable<T> begun = Objects.requireNonNull(work);
        work = null;
        try {
            result = begun.call();
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Waits so long at most; returns whether it has ended. */
    public boolean awaitEnd(long timeoutNs) throws InterruptedException {
        if (timeoutNs > 0) {
            thread.join(timeoutNs / NS_PER_MS, (int) (timeoutNs % NS_PER_MS));
        }
        return isEnded();
    }

    public boolean isEnded() {
        return !thread.isAlive();
    }

    /**
     * Waits for its end. A {@link RuntimeException} or an {@link Error} that has ended it is thrown as it is, which
     * needs no memory.
     *
     * @throws ExecutionException with the other exception that has ended it
     */
    public T result() throws InterruptedException, ExecutionException {
        thread.join();
        return ended();
    }

    /**
     * The same, also if the calling thread is interrupted meanwhile, which it stays.
     *
     * @throws IllegalStateException for an exception that is checked
     */
    public T await() {
        join();
        try {
            return ended();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @SuppressWarnings("NullAway") // it is what the work has returned: null only if that may be
    private T ended() throws ExecutionException {
        if (failure != null) {
            throwAsItIs(failure);
        }
        return result;
    }

    /** Throws what has ended some work: a checked exception as the cause of another one. */
    static void throwAsItIs(Throwable failure) throws ExecutionException {
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw new ExecutionException(failure);
    }

    /** Has it look again, if it is parked. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    /** Waits for its end, whatever has ended it, also if the calling thread is interrupted meanwhile. */
    public void join() {
        LogThread.join(thread);
    }

    /** Interrupts it, and waits as {@link #join} does. */
    public void end() {
        thread.interrupt();
        join();
    }
}
