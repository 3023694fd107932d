package io.persist.log.control;

import io.persist.event.OpeningProgress;
import io.persist.event.OpeningProgress.Step;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How long an opening still waits for a log that another holder has. Java has no call that waits some time for the lock
 * of a file, and none for the end of a process that is not its own; so it looks now and then, at first soon again.
 *
 * <p><b>Threads:</b> one. An interrupt ends the wait, and the thread's flag stays up.
 */
final class LockWait {

    private static final long SHORTEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Then the looks take less than a hundredth of a CPU. An opening after a kill takes some times longer. */
    private static final long LONGEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long timeoutNs;
    private final OpeningProgress progress;
    private final long startNs;
    private long pauseNs = SHORTEST_PAUSE_NS;

    /** From now on, for {@code timeout}; zero for no wait. A long one is said by {@code progress}. */
    LockWait(Duration timeout, OpeningProgress progress) {
        this.timeoutNs = TimeUnit.NANOSECONDS.convert(timeout);
        this.progress = progress;
        this.startNs = progress.elapsedNs();
        progress.begin(Step.WAIT, 0, 0);
    }

    /** Whether there is a wait at all. */
    boolean isWanted() {
        return timeoutNs > 0;
    }

    /**
     * Returns true after a moment, for another look; false at once if the time is over or there was an interrupt.
     *
     * @param holder who the holder is, for a message; asked if it is said
     */
    boolean goesOn(Supplier<String> holder) {
        long remainingNs = timeoutNs - elapsedNs();
        if (remainingNs <= 0 || Thread.currentThread().isInterrupted()) {
            return false;
        }
        progress.waits(() -> "for the writer that has the log" + holder.get() + ", " + most(remainingNs));
        LockSupport.parkNanos(this, Math.min(pauseNs, remainingNs));
        pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        return true;
    }

    /** The wait that was in vain, for a message; empty if there was none to be. */
    @Override
    public String toString() {
        if (!isWanted()) {
            return "";
        }
        Duration waited = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(elapsedNs()));
        return ", waited=" + waited + (elapsedNs() < timeoutNs ? " until an interrupt" : "");
    }

    private String most(long remainingNs) {
        return timeoutNs == Long.MAX_VALUE
                ? "without a limit"
                : "for at most " + Math.max(1, TimeUnit.NANOSECONDS.toSeconds(remainingNs)) + " s more";
    }

    private long elapsedNs() {
        return progress.elapsedNs() - startNs;
    }
}
