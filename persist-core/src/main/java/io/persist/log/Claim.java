package io.persist.log;

import java.nio.ByteBuffer;

/**
 * A record that the caller fills. The caller has to call {@link #publish} or {@link #abort} before the next append of
 * the same thread, whatever is thrown in between: a {@code try} with the claim as its resource sees to that. There is
 * one claim per appending thread, used again and again.
 *
 * <p>It is filled in memory of its own and copied when it is published: so code that keeps the buffer, or a slice of
 * it, can reach neither what is on the log nor memory of a file that was unmapped. But the next claim is filled in the
 * same memory: from then on a kept buffer shows the next record, and a write to it changes the next record.
 *
 * <p>Not for implementing: the library makes all claims, and may give them methods.
 *
 * <p><b>Threads:</b> the thread that claimed. <b>Allocation:</b> none once its memory has the size of the largest
 * record; memory of more than 1 MiB is not kept, and of more than 16 KiB not if the logger is detached: there each
 * thread has some of its own.
 */
public interface Claim extends AutoCloseable {

    /**
     * The record's bytes, from the buffer's position to its limit; little-endian. Their content is undefined. The
     * memory beyond the limit is no part of the record: do not call {@link ByteBuffer#clear}, and have an {@code
     * UnsafeBuffer} wrap {@code payload, 0, length} and not all of it. The buffer is empty once the claim has ended, so
     * that a late write fails, until the next claim, which may get the same buffer. Do not keep it, nor a slice of it.
     */
    ByteBuffer payload();

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
    long publish();

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
    void abort();

    /** Gives the space back without a record, as {@link #abort} does, unless the claim has ended. */
    @Override
    void close();
}
