package io.persist.bench.load;

import io.persist.bench.latency.NanoClock;

/**
 * When each write is meant to start. The times are fixed by the rate alone: a write that takes too long delays the
 * next ones, but not the times at which they were meant to start, so what it did to them shows up in the measurement.
 *
 * <p><b>Threads:</b> one.
 */
public final class Pacer {

    private final NanoClock clock;
    private final double intervalNs;
    private final long offsetNs;
    private long originNs;

    private Pacer(NanoClock clock, double intervalNs, long offsetNs) {
        this.clock = clock;
        this.intervalNs = intervalNs;
        this.offsetNs = offsetNs;
    }

    /** Starts each write as soon as the one before is done. */
    public static Pacer unlimited(NanoClock clock) {
        return new Pacer(clock, 0, 0);
    }

    /** The given number of writes per second, or as many as possible for a rate below 0. */
    public static Pacer of(long rate, NanoClock clock) {
        return share(rate, 1, 0, clock);
    }

    /** The part of a rate that one of {@code producers} threads takes: they take turns. */
    static Pacer share(long rate, int producers, int producer, NanoClock clock) {
        if (rate < 0) {
            return unlimited(clock);
        }
        double intervalNs = 1e9 / rate;
        return new Pacer(clock, producers * intervalNs, (long) (producer * intervalNs));
    }

    boolean isPaced() {
        return intervalNs > 0;
    }

    /** Lets write 0 be meant for now, or for its turn after now. */
    void start() {
        originNs = clock.nanoTime() + offsetNs;
    }

    long intendedStart(long index) {
        return originNs + (long) (index * intervalNs);
    }

    /**
     * Waits for the intended start of a write, without giving up the CPU: to wake up a thread takes longer than a
     * write. Waits no longer than until the deadline, or until a stop is requested: {@link #isDue} tells.
     *
     * @return the time at which the wait was over, the actual start if the write is due
     */
    long awaitStart(long index, long deadlineNs, Stop stop) {
        long now = clock.nanoTime();
        if (isPaced()) {
            long intended = intendedStart(index);
            while (now - intended < 0 && now - deadlineNs < 0 && !stop.requested()) {
                Thread.onSpinWait();
                now = clock.nanoTime();
            }
        }
        return now;
    }

    /** Whether the intended start of a write has come. */
    boolean isDue(long index, long nowNs) {
        return !isPaced() || nowNs - intendedStart(index) >= 0;
    }
}
