package io.persist.bench.latency;

import io.persist.log.PositionListener;

/**
 * When positions of the log were reached: noted by the thread that moved them, at the moment it did, for the recorder
 * to look up later. So nobody has to be awake to watch, and no wake-up is in the measurement.
 *
 * <p><b>Threads:</b> any notes, one takes. The lock is free but for the recorder's exchange of two references, a
 * hundred times per second. <b>Allocation:</b> none, but to grow when the recorder is late.
 */
public final class PositionTimes implements PositionListener {

    private static final int CAPACITY = 1 << 16;

    private final NanoClock clock;
    private LongPairs noted = new LongPairs(CAPACITY);
    private long last;

    /** For positions after {@code position}. */
    public PositionTimes(NanoClock clock, long position) {
        this.clock = clock;
        this.last = position;
    }

    /** Everything before {@code position} is reached now. */
    @Override
    public synchronized void onPosition(long position) {
        if (position > last) {
            last = position;
            noted.add(position, clock.nanoTime());
        }
    }

    /** The pairs of position and time since the last call, in exchange for an empty queue. */
    public synchronized LongPairs take(LongPairs empty) {
        LongPairs taken = noted;
        noted = empty;
        return taken;
    }
}
