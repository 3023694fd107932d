package io.persist.error;

/**
 * The queue of a detached logger has no room, in entries or in bytes, and the configured time to wait is over. The
 * record was not accepted; append it again later.
 *
 * <p>It has a stack trace, which tells which producer found the queue full, and takes some microseconds and 2 kB. A
 * loop that goes on without room asks {@code wouldWait} first, and gets this only if another producer was faster.
 */
public final class QueueFullException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code message} says how full the queue is. */
    public QueueFullException(String message) {
        super(message, null);
    }
}
