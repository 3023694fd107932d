package io.persist.store;

/** Which way a scan goes. */
public enum Direction {
    /** From the lowest key up. */
    FORWARD,
    /** From the highest key down. */
    BACKWARD
}
