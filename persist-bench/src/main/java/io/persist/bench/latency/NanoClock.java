package io.persist.bench.latency;

/** {@link System#nanoTime}, or a clock that a test moves. */
@FunctionalInterface
public interface NanoClock {

    long nanoTime();
}
