package io.persist.tool;

/** How a follower spends the time in which nothing is appended. */
@FunctionalInterface
public interface Pause {

    /**
     * Waits a little.
     *
     * @param times how often it has been called since the last record, this call included
     * @return false to follow no longer
     */
    boolean await(long times);

    /** Sleeps longer and longer, up to a tenth of a second, and ends with an interrupt. */
    static Pause backingOff() {
        return times -> {
            try {
                Thread.sleep(Math.min(100, 1L << Math.min(times, 7)));
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        };
    }
}
