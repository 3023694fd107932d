package io.persist.bench.device.engine;

/** One operation, from its begin to its end; used again for a later one. Not for several threads. */
public final class Request {

    private final int slot;
    private long offset;
    private long startNs;
    private long number;
    private boolean synced;

    /** @param slot from 0 on, below the depth; no two that are in flight have the same */
    public Request(int slot) {
        this.slot = slot;
    }

    /**
     * Makes it the next operation.
     *
     * @param newOffset where the block begins
     * @param newNumber of the operation in its cell
     * @param isSynced whether it ends only when what it wrote is on the device
     */
    public void set(long newOffset, long newNumber, boolean isSynced) {
        offset = newOffset;
        number = newNumber;
        synced = isSynced;
    }

    /** Notes when it began, by {@link System#nanoTime}. */
    public void startAt(long nowNs) {
        startNs = nowNs;
    }

    public int slot() {
        return slot;
    }

    public long offset() {
        return offset;
    }

    public long startNs() {
        return startNs;
    }

    public long number() {
        return number;
    }

    /** Whether a sync belongs to it. */
    public boolean isSynced() {
        return synced;
    }
}
