package io.persist.bench;

/**
 * What one producer writes, and where to: hides which logger it is, and what that takes.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none.
 */
interface Target {

    /** Makes ready what is written next, its {@code index}-th from 0 on. This is not measured. */
    void prepare(long index);

    /** Writes it; returns the position right after it. If that throws, it can be called again. */
    long write();

    /** Ends a commit of the durability that the flags ask for. Detached, it does not wait for it. */
    void commit();
}
