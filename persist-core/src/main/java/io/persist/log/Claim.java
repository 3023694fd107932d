package io.persist.log;

import java.nio.ByteBuffer;

/**
 * Space in the log for one record, to be filled in place. Either {@link #publish} or {@link #abort} has to follow
 * before the next append of the same thread. There is one claim per appending thread, used again and again.
 *
 * <p><b>Threads:</b> the one that claimed. <b>Allocation:</b> none.
 */
public abstract class Claim {

    private ByteBuffer payload = ByteBuffer.allocate(0);

    protected Claim() {}

    protected final void set(ByteBuffer view) {
        this.payload = view;
    }

    /**
     * The record's bytes, from the buffer's position to its limit; little-endian. They hold anything. Not to be touched
     * after the claim has ended.
     */
    public final ByteBuffer payload() {
        return payload;
    }

    /**
     * Appends the record as it stands.
     *
     * @return the position right after it
     */
    public abstract long publish();

    /** Gives the space back; the record never was. Without an open claim it does nothing. */
    public abstract void abort();
}
