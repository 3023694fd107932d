package io.persist.log;

import java.nio.ByteBuffer;

/**
 * Space in the log for one record, to be filled in place. Either {@link #publish} or {@link #abort} has to follow
 * before the next append. There is one claim per log, used again and again.
 *
 * <p><b>Threads:</b> the appender's. <b>Allocation:</b> none.
 */
public final class Claim {

    private final Appender appender;
    private ByteBuffer payload = ByteBuffer.allocate(0);

    Claim(Appender appender) {
        this.appender = appender;
    }

    void set(ByteBuffer view) {
        this.payload = view;
    }

    /**
     * The record's bytes, from the buffer's position to its limit; little-endian. They hold anything. Not to be touched
     * after the claim has ended.
     */
    public ByteBuffer payload() {
        return payload;
    }

    /**
     * Appends the record as it stands.
     *
     * @return the position right after it
     */
    public long publish() {
        return appender.publishClaim();
    }

    /** Gives the space back; the record never was. Without an open claim it does nothing. */
    public void abort() {
        appender.abortClaim();
    }
}
