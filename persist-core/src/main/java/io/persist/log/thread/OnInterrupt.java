package io.persist.log.thread;

/**
 * What a thread does that is interrupted while it waits for a position. Its flag is up afterwards in either case. A
 * wait that is to end returns false, and whoever began it makes an exception of the flag: see
 * {@code Completion.endedBy}.
 */
public enum OnInterrupt {
    /** Waits on: the interrupt is kept for later. */
    GO_ON,

    /** Waits no longer. */
    END
}
