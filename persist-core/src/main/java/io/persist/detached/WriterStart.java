package io.persist.detached;

import io.persist.log.thread.LogThread;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the writer runs: once, in the very thread that the application's factory has made for it, and not at
 * all if the log could not be opened. The log is closed then, and its control block is not mapped any more.
 *
 * <p><b>Threads:</b> any.
 */
final class WriterStart {

    private @Nullable Thread thread;
    private boolean hasBegun;
    private boolean isGivenUp;

    /**
     * Has {@code factory} make the only thread that may run {@code writer}, and returns it; without one it is a daemon
     * of the log in {@code directory}.
     */
    Thread make(@Nullable ThreadFactory factory, Runnable writer, String directory) {
        Thread made = factory == null
                ? daemon(writer, directory)
                : Objects.requireNonNull(factory.newThread(writer), "threadFactory made no thread");
        synchronized (this) {
            thread = made;
        }
        return made;
    }

    private static Thread daemon(Runnable writer, String directory) {
        Thread thread = new Thread(writer, LogThread.name("write", directory));
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts {@code made} and returns when it has begun.
     *
     * @throws IllegalArgumentException if the factory has started it
     * @throws IllegalStateException if it has ended without running the writer, because nothing else would notice
     */
    void start(Thread made) {
        if (made.getState() != Thread.State.NEW) {
            throw new IllegalArgumentException("threadFactory has started the thread: state=" + made.getState()
                    + "; have it only make the thread");
        }
        made.start();
        while (!hasBegun()) {
            if (!made.isAlive() && !hasBegun()) {
                throw new IllegalStateException("threadFactory made a thread that ended without running the writer;"
                        + " have that very thread run the Runnable that the factory is given");
            }
            Thread.yield();
        }
    }

    private synchronized boolean hasBegun() {
        return hasBegun;
    }

    /**
     * To be called by the thread that runs the writer, before all else.
     *
     * @return false if the opening has failed: then it must touch nothing
     * @throws IllegalStateException if it is another thread than the factory has made, or runs it a second time
     */
    synchronized boolean begin() {
        Thread current = Thread.currentThread();
        if (current != thread) {
            throw new IllegalStateException("the writer of a detached logger was run by " + LogThread.describe(current)
                    + (thread == null ? ", before threadFactory had" : ", not by the thread that threadFactory has")
                    + " returned; have it make one thread that runs the Runnable itself, and not start it");
        }
        if (hasBegun) {
            throw new IllegalStateException("the writer of a detached logger was run twice; have the thread that"
                    + " threadFactory makes run it once");
        }
        hasBegun = !isGivenUp;
        return hasBegun;
    }

    /** The opening has failed: returns when the writer has ended, or cannot begin any more. */
    void giveUp(Thread made) {
        synchronized (this) {
            isGivenUp = true;
        }
        if (hasBegun()) {
            LogThread.join(made);
        }
    }
}
