package io.persist.store.core;

import io.persist.error.IndexFullException;

/**
 * Tries of a caller that finds no memory in the index: between them changed nodes are written, so that they can give
 * their memory up.
 *
 * <p><b>Threads:</b> one.
 */
final class MemoryTries {

    /** So often in all: others may take what becomes free. */
    private static final int MOST = 8;

    /**
     * So often in a row although nothing was there to write. Twice, because the memory may have become free between the
     * try and that look: a checkpoint that another thread wrote has ended.
     */
    private static final int MOST_IN_VAIN = 2;

    private final StoreCore core;
    private int count;
    private int inVain;

    /** So much the index has had at most. */
    private long bytes;

    MemoryTries(StoreCore core) {
        this.core = core;
        this.bytes = core.state().index().memoryBytes();
    }

    /** Lets the index have memory back; throws {@code refusal} if there is no point in one more try. */
    void freeMemory(IndexFullException refusal) {
        boolean hasSpare = core.state().index().frames().awaitSpare();
        if (hasGrown() || hasSpare) {
            return; // by memory of another index, which will not give without end
        }
        count++;
        inVain = core.listener().freeMemory() ? 0 : inVain + 1;
        if (count == MOST || inVain == MOST_IN_VAIN) {
            throw refusal;
        }
    }

    /** Also if a background thread was faster in asking for what others have given back. */
    private boolean hasGrown() {
        long before = bytes;
        bytes = Math.max(bytes, core.state().index().memoryBytes());
        return bytes > before;
    }
}
