package io.persist.log;

import io.persist.format.ReusedBuffer;

/** A claim of the appender's: the place in the log is there already, and gets the record when it is published. */
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

    @Override
    public long publish() {
        return appender.publishClaim();
    }

    @Override
    public void abort() {
        appender.gate().abortClaim();
    }
}
