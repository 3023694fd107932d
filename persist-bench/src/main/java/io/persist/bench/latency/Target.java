package io.persist.bench.latency;

/**
 * What one producer writes, and where to: hides which logger it is, and what that takes.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none.
 */
public interface Target {

    /** What {@link #write} returns if there is no position before the commit. */
    long UNKNOWN = -1;

    /** Makes ready what is written next, its {@code index}-th from 0 on. */
    void prepare(long index);

    /** Writes it; returns the position right after it, or UNKNOWN. If that throws, it can be called again. */
    long write();

    /**
     * Ends a commit of the durability that the flags ask for; returns the position up to which the log is committed.
     * Detached, it does not wait for the durability. If that throws, it can be called again.
     */
    long commit();
}
