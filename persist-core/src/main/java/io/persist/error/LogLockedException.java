package io.persist.error;

/** Another writer, in this or another process, has the log open. The message names the holder's process id. */
public final class LogLockedException extends PersistException {

    private static final long serialVersionUID = 1L;

    public LogLockedException(String message) {
        super(message, null);
    }
}
