package io.persist.peers.trial;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The main class of a trial's JVM: gets a file with the trial, leaves one with the result, and the profile, if there is
 * to be one, beside it. If it fails, the last line of standard error says why, and begins with {@link #FAILURE}.
 */
public final class PeerTrial {

    /** What the line begins with that says why a trial failed. */
    public static final String FAILURE = "persist-peers: failed: ";

    private PeerTrial() {}

    public static void main(String[] args) {
        ParentWatch.start();
        System.exit(exitCode(() -> run(Trial.load(Path.of(args[0])), Path.of(args[1]))));
    }

    private static void run(Trial trial, Path result) throws Exception {
        Sampling sampling = Sampling.of(trial, result.resolveSibling(""));
        Workload.of(trial.mode()).run(trial, new Logs(trial), sampling).save(result);
    }

    /** What a process of a trial does. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    /** Runs the task of a process, and says what its exit code is: libraries may have left threads that go on. */
    public static int exitCode(Task task) {
        try {
            task.run();
            return 0;
        } catch (Throwable e) { // whatever it is, the parent wants to know
            System.err.println(FAILURE + describe(e));
            return 1;
        }
    }

    /** In one line. */
    static String describe(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        boolean speaks = failure instanceof IOException && failure.getMessage() != null;
        String text = speaks ? message : failure.getClass().getSimpleName() + ": " + message;
        StackTraceElement[] trace = failure.getStackTrace();
        String place = speaks || trace.length == 0 ? "" : " (at " + trace[0] + ")";
        return (text + place).replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
