package io.persist.log;

import java.nio.ByteBuffer;

/** A claim of the appender's own memory: the record is filled where it stays. */
final class AppenderClaim extends Claim {

    private final Appender appender;

    AppenderClaim(Appender appender) {
        this.appender = appender;
    }

    AppenderClaim on(ByteBuffer view) {
        set(view);
        return this;
    }

    @Override
    public long publish() {
        return appender.publishClaim();
    }

    @Override
    public void abort() {
        appender.abortClaim();
    }
}
