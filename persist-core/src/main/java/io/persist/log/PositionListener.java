package io.persist.log;

/** A callback that is told how far a log has come. */
@FunctionalInterface
public interface PositionListener {

    /**
     * Everything before {@code position} has the level that was listened for. Positions only grow; one call may report
     * several of them.
     *
     * <p>The thread that moved the position calls it: the thread that syncs, which is the writer thread of a detached
     * logger. So it has to be quick, and must not wait for the log, nor for a lock that another thread holds while it
     * appends or waits. If it throws, that is reported once to the application's logging ({@code io.persist.listener}),
     * and the listener is not called again.
     */
    void onPosition(long position);
}
