package io.persist.log.thread;

import io.persist.memory.MissingPage;
import java.util.function.Consumer;

/**
 * What a thread of the library runs, how its end is waited for, and how a thread is named in a message. Everything that
 * is thrown goes to a handler, which can end the log for it; also an error of a missing page that the JVM still holds
 * back at the end. Nothing is printed to standard error.
 */
public final class LogThread {

    /** What the kernel keeps of a thread's name, characters: all that {@code top}, {@code ps} and {@code perf} show. */
    private static final int KEPT = 15;

    private LogThread() {}

    /**
     * The name of a thread that has the task {@code role} for the log in {@code directory}. It begins with the role and
     * the end of the directory, so that the threads of many logs can be told apart where little of a name is shown.
     */
    public static String name(String role, Object directory) {
        String path = directory.toString();
        int from = Math.max(0, path.length() - (KEPT - role.length() - 1));
        return role + " " + path.substring(from) + ", persist " + path;
    }

    /** A daemon that runs {@code body} as {@link #run} does, and is not started yet. */
    public static Thread daemon(String name, Runnable body, Consumer<Throwable> failed) {
        Thread thread = new Thread(() -> run(body, failed), name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns when {@code thread} has ended; an interrupt of the caller is kept for later. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread in words, for messages. */
    public static String describe(Thread thread) {
        return "the thread \"" + thread.getName() + "\" (id " + thread.getId() + ")";
    }

    /** Runs {@code body}; hands what it throws to {@code failed}, which may be told more than once. */
    public static void run(Runnable body, Consumer<Throwable> failed) {
        try {
            try {
                body.run();
                MissingPage.check();
            } catch (Throwable thrown) {
                tell(failed, thrown);
                MissingPage.check();
            }
        } catch (Throwable late) { // the only one that can still come: nothing mapped was touched since it was due
            tell(failed, late);
        }
    }

    /**
     * Again and again as long as there is no memory for it: others wait for what this thread does, and would wait for
     * ever.
     */
    private static void tell(Consumer<Throwable> failed, Throwable thrown) {
        boolean isTold = false;
        while (!isTold) {
            try {
                failed.accept(thrown);
                isTold = true;
            } catch (OutOfMemoryError none) {
                Thread.yield();
            }
        }
    }
}
