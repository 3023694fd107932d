package io.persist.monitor;

/** Whether a log has a writer, as its control block and its lock have it. */
public enum WriterState {
    /** There is no trace of a writer. */
    UNKNOWN,
    /** The last writer has closed the log. */
    CLOSED,
    /** A writer has the log open, and its process runs. */
    LIVE,
    /**
     * A writer has the log open, or ended without closing it: its process cannot be seen from here. It is in another
     * pid namespace, such as another container's, or the processes of others are hidden.
     */
    UNSEEN,
    /** The process of the last writer, or the operating system, ended before the log was closed. */
    KILLED,
    /** The last writer met an I/O error. */
    FAILED;

    /** Whether there may be a writer now, as far as can be seen from here. */
    public boolean mayWrite() {
        return this == LIVE || this == UNSEEN;
    }
}
