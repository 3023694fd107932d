package io.persist.peers.trial.process;

import java.io.IOException;

/**
 * Ends this process when the one that started it has ended, however that was: the pipe that is its standard input is
 * closed then.
 */
public final class ParentWatch {

    private static final int ORPHANED = 3;

    private ParentWatch() {}

    public static void start() {
        Thread thread = new Thread(ParentWatch::await, "parent-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void await() {
        try {
            while (System.in.read() >= 0) {
                // Nobody writes to it.
            }
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
