package io.persist.log.thread;

import java.io.IOException;

/**
 * Told what work in the background has cost, right after it: the place to wait, or to end the work. A {@link Throttle}
 * waits by a rate.
 */
@FunctionalInterface
public interface Pace {

    /**
     * Returns when the work may go on.
     *
     * @throws IOException if it must not: what has been done so far is taken back
     */
    void spend(long bytes) throws IOException;
}
