package io.persist.store.core;

/** A listener that is told that something was committed, or that it cannot be. */
public interface CommitListener {

    /** Everything before the position {@code end} is committed. Under the store's lock; it must return at once. */
    void committed(long end);

    /**
     * Lets the index have memory back, which may take as long as two checkpoints do; returns false if nothing seems to
     * be there to be had. Without the lock, and not by the thread that does the store's upkeep.
     */
    default boolean freeMemory() {
        return false;
    }
}
