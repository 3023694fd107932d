package io.persist.error;

/** A tailer asked for records that retention has taken away; it may go on from the log's first position. */
public final class RetiredException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code message} names the position and the first one that is left. */
    public RetiredException(String message) {
        super(message, null);
    }
}
