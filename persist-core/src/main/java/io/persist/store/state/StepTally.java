package io.persist.store.state;

/**
 * Counts the operations of a step, which is all that is done between taking the store's lock and giving it back:
 * changes that the index takes over, keys that it looks at for them, and keys that are looked up for a commit that has
 * read them. Threads that wait for the lock wait for these.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class StepTally {

    private int operations;
    private int most;

    /** A step has begun. */
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

    /** The most operations that a step had. */
    public int most() {
        return most;
    }
}
