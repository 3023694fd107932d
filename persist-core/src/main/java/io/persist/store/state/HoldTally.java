package io.persist.store.state;

/**
 * Counts the operations that a store's lock is held for: changes that the index takes over, and keys that it looks at
 * for them. Threads that wait for the lock wait for these, so no hold may have more than a step has.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class HoldTally {

    private int operations;
    private int most;

    /** A hold has begun that is going to change something. */
    public void begin() {
        operations = 0;
    }

    /** So many more operations. */
    public void count(int number) {
        operations += number;
        most = Math.max(most, operations);
    }

    /** Counts from here on. */
    public void restart() {
        operations = 0;
        most = 0;
    }

    /** The most operations that a hold had. */
    public int most() {
        return most;
    }
}
