package io.persist.log.write;

import io.persist.log.Claim;
import io.persist.memory.GuardBytes;
import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a claim is filled in. What is written outside the record is noticed before anything is published.
 *
 * <p><b>Threads:</b> the thread that claimed.
 */
public abstract class ClaimBuffer implements Claim {

    private final ReusedBuffer memory = new ReusedBuffer();
    private final int keptLength;
    private ByteBuffer payload = memory.ofLength(0);
    private int length;

    /** The thread that has begun it; null while none is open. */
    private @Nullable Thread holder;

    /** {@code keptLength} is the most memory that is kept for the next record, bytes. */
    protected ClaimBuffer(int keptLength) {
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

    @Override
    public final ByteBuffer payload() {
        return payload;
    }

    @Override
    public final void close() {
        abort();
    }
}
