package io.persist.peers.state.workflow;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long the parts of a workflow run take. Each ends where the next one begins, so that one look at the clock does
 * for both and nothing is left out: what is between the ends of two commands is the second one's time, even if it
 * waited for the deletion of timers.
 *
 * <p><b>Threads:</b> one.
 */
public final class WorkflowTimes {

    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);

    public final Histogram get = new Histogram(LONGEST_NS, 3);
    public final Histogram commit = new Histogram(LONGEST_NS, 3);
    public final Histogram command = new Histogram(LONGEST_NS, 3);
    public final Histogram timerStep = new Histogram(LONGEST_NS, 3);
    private long partNs;
    private long commandNs;
    private long startNs;
    private long lastNs;

    void start() {
        startNs = System.nanoTime();
        partNs = startNs;
        commandNs = startNs;
    }

    /** What there was since the last part ended is a part of the kind that {@code times} has. */
    void endPart(Histogram times) {
        long nowNs = System.nanoTime();
        times.recordValue(Math.min(LONGEST_NS, nowNs - partNs));
        partNs = nowNs;
    }

    /** A command has ended, and its last part with it. */
    void endCommand() {
        lastNs = partNs - commandNs;
        command.recordValue(Math.min(LONGEST_NS, lastNs));
        commandNs = partNs;
    }

    /** When the last part has ended, by System.nanoTime(). */
    long endNs() {
        return partNs;
    }

    /** How long the last command took, ns. */
    long lastCommandNs() {
        return lastNs;
    }

    /** From the start until the last part has ended. */
    public double seconds() {
        return (partNs - startNs) / 1e9;
    }

    /** All steps of the deletion of timers together. */
    public double timerSeconds() {
        return timerStep.getTotalCount() * timerStep.getMean() / 1e9;
    }
}
