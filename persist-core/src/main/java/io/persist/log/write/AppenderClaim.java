package io.persist.log.write;

import io.persist.log.Claim;
import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;

/**
 * A claim of an attached log: its place in the log is reserved already, and gets the record when the claim is
 * published.
 */
final class AppenderClaim extends Claim {

    private final Appender appender;

    AppenderClaim(Appender appender) {
        super(ReusedBuffer.MAX_KEPT);
        this.appender = appender;
    }

    AppenderClaim of(int length) {
        begin(length);
        return this;
    }

    /** Whether it is to be published or aborted yet. */
    boolean isPending() {
        return isOpen();
    }

    /** What is thrown while it is. */
    IllegalStateException pending() {
        return inTheWay();
    }

    /** The record's bytes, as {@link #whole} has them. */
    ByteBuffer bytes() {
        return whole();
    }

    /** Ends it; without an open claim it does nothing. */
    void finish() {
        end();
    }

    @Override
    public long publish() {
        return appender.publishClaim();
    }

    @Override
    public void abort() {
        appender.gate().abortClaim();
    }
}
