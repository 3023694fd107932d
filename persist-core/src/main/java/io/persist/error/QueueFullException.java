package io.persist.error;

/**
 * The queue of a detached logger has no room, in entries or in bytes, and the configured time to wait is over. The
 * record was not accepted; append it again later.
 */
public final class QueueFullException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code message} says how full the queue is. */
    public QueueFullException(String message) {
        super(message, null);
    }
}
