package io.persist.error;

/**
 * Another writer has the log open, or another tailer has the named cursor, in this or another process. The message
 * names the holder's process id if it is known.
 */
public final class LogLockedException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code message} names the file and its holder. */
    public LogLockedException(String message) {
        super(message, null);
    }
}
