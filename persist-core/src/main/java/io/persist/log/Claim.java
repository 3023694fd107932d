package io.persist.log;

import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A record that the caller fills. The caller has to call {@link #publish} or {@link #abort} before the next append of
 * the same thread. There is one claim per appending thread, used again and again.
 *
 * <p>It is filled in memory of its own and copied when it is published: so code that keeps the buffer, or a slice of
 * it, can reach neither what is on the log nor memory of a file that was unmapped. But the next claim is filled in the
 * same memory: from then on such a buffer shows that one, and what is written to it gets into that one's record.
 *
 * <p><b>Threads:</b> the thread that claimed. <b>Allocation:</b> none once its memory has the size of the largest
 * record; memory of more than 1 MiB is not kept, and of more than 16 KiB not if the logger is detached: there each
 * thread has some of its own.
 */
public abstract class Claim {

    private final ReusedBuffer memory = new ReusedBuffer();
    private final int keptLength;
    private ByteBuffer payload = memory.ofLength(0);
    private int length;
    private boolean open;

    /** {@code keptLength} is the most memory that is kept for the next record, bytes. */
    protected Claim(int keptLength) {
        this.keptLength = keptLength;
    }

    /** Begins one for a record of {@code newLength} bytes. */
    protected final void begin(int newLength) {
        payload.limit(0); // it may be another one now
        payload = memory.ofLength(newLength);
        length = newLength;
        open = true;
        whole();
    }

    /** The record's bytes, whatever was done with the buffer before. */
    protected final ByteBuffer whole() {
        return payload.limit(length).position(0).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The claim has ended: its buffer is empty. */
    protected final void end() {
        open = false;
        payload.limit(0);
        memory.rest(keptLength);
        payload = memory.ofLength(0);
    }

    /** Whether neither {@link #publish} nor {@link #abort} was called yet. */
    protected final boolean isOpen() {
        return open;
    }

    /**
     * The record's bytes, from the buffer's position to its limit; little-endian. Their content is undefined. The
     * buffer is empty once the claim has ended, so that a late write fails; until the next claim, which may have the
     * same buffer. Do not keep it, nor a slice of it.
     */
    public final ByteBuffer payload() {
        return payload;
    }

    /**
     * Appends the record as it stands, and ends the claim. Detached, the claim ends even if this throws.
     *
     * @return the position right after the record
     * @throws io.persist.error.QueueFullException detached only: if the queue stays full; the record was not accepted
     * @throws io.persist.error.LogFullException detached only: if the disk is full; the record was not accepted
     * @throws io.persist.error.LogIOException if the log has failed
     * @throws IllegalStateException if no claim is open, or the logger is closed
     */
    public abstract long publish();

    /**
     * Gives the space back without a record. Without an open claim it does nothing.
     *
     * <p>All threads that share an attached log have the same claim, one after the other. So call this before you give
     * back the lock of {@link LogConfig.Builder#guardedBy}, or hand the log over: later the claim that is open may be
     * one of another thread.
     *
     * @throws IllegalStateException attached only: if a claim is open and the calling thread may not use the log, since
     *     another one owns it, or the lock is not held; that claim stays as it is
     */
    public abstract void abort();
}
