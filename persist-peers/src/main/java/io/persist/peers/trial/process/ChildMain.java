package io.persist.peers.trial.process;

import io.persist.event.Notices;
import java.io.IOException;

/** The main method of a child: what it runs, and how it tells its parent that this has failed. */
public final class ChildMain {

    /** Begins the line of standard error that says why a process failed. */
    static final String FAILURE = "persist-peers: failed: ";

    private ChildMain() {}

    /** What a process does. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    /** Runs the task of a process, and says what its exit code is: libraries may have left threads that go on. */
    public static int exitCode(Task task) {
        Notices.off(); // its output is for the parent
        try {
            task.run();
            return 0;
        } catch (Throwable e) { // whatever it is, the parent wants to know
            System.err.println(FAILURE + describe(e));
            return 1;
        }
    }

    /** In one line. */
    public static String describe(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        boolean speaks = failure instanceof IOException && failure.getMessage() != null;
        String text = speaks ? message : failure.getClass().getSimpleName() + ": " + message;
        StackTraceElement[] trace = failure.getStackTrace();
        String place = speaks || trace.length == 0 ? "" : " (at " + trace[0] + ")";
        return (text + place).replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
