package io.persist.event;

import java.util.concurrent.TimeUnit;

/** The time of an opening, in the hand of a test. */
public final class ProgressTime {

    private long nowNs = Long.MAX_VALUE - 1; // a clock of ns may begin anywhere
    private long stepNs;
    private int looks;

    /** The progress of an opening of {@code opened} at this time. */
    public OpeningProgress of(String opened) {
        return new OpeningProgress(opened, () -> {
            looks++;
            return nowNs += stepNs;
        });
    }

    /** So much time goes by. */
    public void pass(long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    /** From now on so much time goes by before each look at the clock. */
    public ProgressTime passing(long ms) {
        stepNs = TimeUnit.MILLISECONDS.toNanos(ms);
        return this;
    }

    /** How often somebody has looked at the clock. */
    public int looks() {
        return looks;
    }
}
