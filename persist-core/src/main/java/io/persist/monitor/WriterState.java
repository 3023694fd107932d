package io.persist.monitor;

/** Whether a log has a writer, as its control block and its lock have it. */
public enum WriterState {
    /** There is no trace of one. */
    UNKNOWN,
    /** It closed the log. */
    CLOSED,
    /** It has the log open and its process runs. */
    LIVE,
    /** Its process, or the operating system, ended before it closed the log. */
    KILLED,
    /** It met an I/O error. */
    FAILED
}
