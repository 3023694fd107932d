package io.persist.store.core;

/** A listener that is told that something was committed, or that it cannot be. */
public interface CommitListener {

    /** Everything before the position {@code end} is committed. Under the store's lock; it must return at once. */
    void committed(long end);

    /**
     * Lets the index have memory back, which may take as long as a checkpoint does; returns false if that cannot be.
     * Without the lock.
     */
    default boolean makeRoom() {
        return false;
    }
}
