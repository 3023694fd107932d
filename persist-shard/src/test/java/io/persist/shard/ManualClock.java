package io.persist.shard;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
final class ManualClock extends Clock {

    private final AtomicLong nowMs = new AtomicLong(1_000_000);

    void advanceMs(long ms) {
        nowMs.addAndGet(ms);
    }

    @Override
    public long millis() {
        return nowMs.get();
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(nowMs.get());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
