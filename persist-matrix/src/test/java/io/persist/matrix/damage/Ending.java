package io.persist.matrix.damage;

/** How the last writer of a log had left it, before something happened to the log's files. */
enum Ending {
    CLOSED,
    KILLED,
    POWER_CUT,
    /** A power cut, and the control block is gone: only the frames tell how far the log was acknowledged. */
    WITHOUT_CONTROL
}
