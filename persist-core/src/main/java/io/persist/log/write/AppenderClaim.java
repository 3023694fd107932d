package io.persist.log.write;

import io.persist.memory.ReusedBuffer;

/**
 * A claim of an attached log: its place in the log is reserved already, and gets the record when the claim is
 * published.
 */
final class AppenderClaim extends ClaimBuffer {

    private final Appender appender;

    AppenderClaim(Appender appender) {
        super(ReusedBuffer.MAX_KEPT);
        this.appender = appender;
    }

    AppenderClaim of(int length) {
        begin(length);
        return this;
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
