package io.persist.error;

/**
 * A reader asked for records, changes or an old value that retention or compaction has taken away. A tailer may go on
 * from the log's first position. One that must not miss any needs a name, or has to be opened by the log's writer.
 */
public final class RetiredException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code message} names the position and the first one that is left. */
    public RetiredException(String message) {
        super(message, null);
    }
}
