package io.persist.tool;

import java.time.Duration;

/** How a tool that goes on and on spends the time in between. */
@FunctionalInterface
public interface Pause {

    /**
     * Waits a little.
     *
     * @param times how often it has been called since something new was seen, this call included
     * @return false to go on no longer
     */
    boolean await(long times);

    /** Sleeps longer and longer, up to a tenth of a second, and ends with an interrupt. */
    static Pause backingOff() {
        return times -> sleep(Math.min(100, 1L << Math.min(times, 7)));
    }

    /** Sleeps for the same time each time, and ends with an interrupt. */
    static Pause of(Duration duration) {
        return times -> sleep(duration.toMillis());
    }

    private static boolean sleep(long ms) {
        try {
            Thread.sleep(ms);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
