package io.persist.memcached;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time of a server, in seconds since 1970: that of the wall clock at the start, and from then on what has passed.
 * So a step of the wall clock, as by an operator or NTP, lets no item go and brings none back. memcached does the same.
 *
 * <p><b>Threads:</b> any.
 */
final class MonotonicClock implements LongSupplier {

    private final LongSupplier nanoTime;
    private final long startMs;
    private final long startNs;

    MonotonicClock() {
        this(System::currentTimeMillis, System::nanoTime);
    }

    /** One that asks {@code wallMs} once, for tests. */
    MonotonicClock(LongSupplier wallMs, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.startMs = wallMs.getAsLong();
        this.startNs = nanoTime.getAsLong();
    }

    /** The seconds since 1970. */
    @Override
    public long getAsLong() {
        long passedMs = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNs);
        return TimeUnit.MILLISECONDS.toSeconds(startMs + passedMs);
    }
}
