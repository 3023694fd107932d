package io.persist.log.thread;

/**
 * What a thread does when it is interrupted while it waits for a position. Its interrupt flag is set afterwards in both
 * cases. A wait that the interrupt ends returns false, and its caller turns the flag into an exception: see {@code
 * Completion.endedBy}.
 */
public enum OnInterrupt {
    /** Waits on: the interrupt is kept for later. */
    GO_ON,

    /** Waits no longer. */
    END
}
