package io.persist.bench;

/** {@link System#nanoTime}, or a clock that a test moves. */
@FunctionalInterface
interface NanoClock {

    long nanoTime();
}
