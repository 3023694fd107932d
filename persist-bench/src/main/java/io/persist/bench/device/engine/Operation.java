package io.persist.bench.device.engine;

/** What is done with a block. */
public enum Operation {
    WRITE,
    READ
}
