package io.persist.bench;

/** A clock that goes on by a fixed time with each reading, and by what a test adds. */
final class FakeClock implements NanoClock {

    private final long stepNs;
    private long nowNs;

    FakeClock(long stepNs) {
        this.stepNs = stepNs;
    }

    @Override
    public long nanoTime() {
        nowNs += stepNs;
        return nowNs;
    }

    void advance(long ns) {
        nowNs += ns;
    }

    long peek() {
        return nowNs;
    }
}
