package io.persist.log;

import io.persist.memory.GuardBytes;
import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A record that the caller fills. The caller has to call {@link #publish} or {@link #abort} before the next append of
 * the same thread, whatever is thrown in between: a {@code try} with the claim as its resource sees to that. There is
 * one claim per appending thread, used again and again.
 *
 * <p>It is filled in memory of its own and copied when it is published: so code that keeps the buffer, or a slice of
 * it, can reach neither what is on the log nor memory of a file that was unmapped. But the next claim is filled in the
 * same memory: from then on a kept buffer shows the next record, and a write to it changes the next record.
 *
 * <p><b>Threads:</b> the thread that claimed. <b>Allocation:</b> none once its memory has the size of the largest
 * record; memory of more than 1 MiB is not kept, and of more than 16 KiB not if the logger is detached: there each
 * thread has some of its own.
 */
public abstract class Claim implements AutoCloseable {

    private final ReusedBuffer memory = new ReusedBuffer();
    private final int keptLength;
    private ByteBuffer payload = memory.ofLength(0);
    private int length;

    /** The thread that has begun it; null while none is open. */
    private @Nullable Thread holder;

    /** {@code keptLength} is the most memory that is kept for the next record, bytes. */
    protected Claim(int keptLength) {
        this.keptLength = keptLength;
    }

    /** Begins one for a record of {@code newLength} bytes. */
    protected final void begin(int newLength) {
        payload.limit(0); // it may be another one now
        payload = memory.ofLength(newLength).limit(newLength);
        length = newLength;
        holder = Thread.currentThread();
        GuardBytes.put(payload.array(), length);
        reset();
    }

    /**
     * The record's bytes, whatever was done with the buffer before.
     *
     * @throws IllegalStateException if there was room for more bytes than the record has, or more were written: some
     *     of them would be lost
     */
    protected final ByteBuffer whole() {
        if (payload.limit() > length) {
            throw new IllegalStateException("the claim's buffer was made longer than the record: limit="
                    + payload.limit() + ", length=" + length + "; the record was not accepted. Claim as many bytes as"
                    + " it has, and do not call clear() or limit() to get more");
        }
        if (!GuardBytes.areIntact(payload.array(), length)) {
            throw new IllegalStateException("the claim was filled beyond the record: length=" + length
                    + "; the record was not accepted. Claim as many bytes as it has, and if another buffer wraps"
                    + " this one's memory, have it wrap these bytes only: wrap(payload, 0, length)");
        }
        return reset();
    }

    private ByteBuffer reset() {
        return payload.limit(length).position(0).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The claim has ended: its buffer is empty. */
    protected final void end() {
        holder = null;
        payload.limit(0);
        memory.shrink(keptLength);
        payload = memory.ofLength(0);
    }

    /** Whether neither {@link #publish} nor {@link #abort} was called yet. */
    protected final boolean isOpen() {
        return holder != null;
    }

    /** What is thrown if something is done that cannot be done while this is open. */
    protected final IllegalStateException inTheWay() {
        return new IllegalStateException("a claim is open, begun by " + holder
                + ": publish or abort it first. If nobody has it any more, call MessageLogger.abortClaim()");
    }

    /**
     * The record's bytes, from the buffer's position to its limit; little-endian. Their content is undefined. The
     * memory beyond the limit is no part of the record: do not call {@link ByteBuffer#clear}, and have an {@code
     * UnsafeBuffer} wrap {@code payload, 0, length} and not all of it. The buffer is empty once the claim has ended, so
     * that a late write fails, until the next claim, which may get the same buffer. Do not keep it, nor a slice of it.
     */
    public final ByteBuffer payload() {
        return payload;
    }

    /**
     * Appends the record as it stands, all of it wherever the buffer's position is, and ends the claim. Detached, the
     * claim ends even if this throws.
     *
     * @return the position right after the record
     * @throws io.persist.error.QueueFullException detached only: if the queue stays full; the record was not accepted
     * @throws io.persist.error.LogFullException detached only: if the disk is full; the record was not accepted
     * @throws io.persist.error.LogIOException if the log has failed
     * @throws IllegalStateException if no claim is open, or the logger is closed; also if the buffer's limit was raised
     *     beyond the record, or bytes right behind it were written: then the claim ends without a record
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

    /** Gives the space back without a record, as {@link #abort} does, unless the claim has ended. */
    @Override
    public final void close() {
        abort();
    }
}
