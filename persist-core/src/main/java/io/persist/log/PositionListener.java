package io.persist.log;

import io.persist.error.PersistException;

/** A callback that is told how far a log has come. */
@FunctionalInterface
public interface PositionListener {

    /**
     * Everything before {@code position} has the level that was listened for. Positions only grow; one call may report
     * several of them.
     *
     * <p>The thread that moved the position calls it: attached the owner, or a thread that waits and does the sync for
     * all; detached the writer thread; and in either case the thread that syncs in the background. So it has to be
     * quick, and must not wait for the log, nor for a lock that another thread holds while it appends or waits. If it
     * throws, that is reported once to the application's logging ({@code io.persist.listener}), and the listener is not
     * called again.
     */
    void onPosition(long position);

    /**
     * The log has failed: no position will grow any more, and what waits for one waits in vain. Called once, by the
     * thread that has met the failure, which may be any; the rest as {@link #onPosition}. Does nothing by default. A
     * log that is closed is no failure, nor is one that refuses records for want of space: it goes on.
     *
     * <p>To end the process here, use {@link Runtime#halt}, or call {@link System#exit} in another thread. It waits for
     * the shutdown hooks, and one that closes the logger waits for this method.
     *
     * @param failure what every later call of the log throws
     */
    default void onFailure(PersistException failure) {}
}
