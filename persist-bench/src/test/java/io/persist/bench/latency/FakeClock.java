package io.persist.bench.latency;

/** A clock that goes on by a fixed time with each reading, and by what a test adds. */
public final class FakeClock implements NanoClock {

    private final long stepNs;
    private long nowNs;

    public FakeClock(long stepNs) {
        this.stepNs = stepNs;
    }

    @Override
    public long nanoTime() {
        nowNs += stepNs;
        return nowNs;
    }

    public void advance(long ns) {
        nowNs += ns;
    }

    public long peek() {
        return nowNs;
    }
}
