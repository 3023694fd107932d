package io.persist.log;

/** Is told how far a log has come. */
@FunctionalInterface
public interface PositionListener {

    /**
     * Everything before {@code position} has the level that was listened for. Positions only grow; several may be told
     * as one.
     *
     * <p>Called by the thread that made it so: the one that syncs, which is the writer thread of a detached logger. So
     * it has to be quick, and must not wait for the log. What it throws harms nobody else: it is said once to the
     * application's logging ({@code io.persist.listener}), and the listener is not called again.
     */
    void onPosition(long position);
}
