package io.persist.error;

import org.jspecify.annotations.Nullable;

/**
 * There is no space for another record. All earlier ones are safe and readable, and appending works again once there is
 * space. If an append, or a call for a claim, throws this, its record was not accepted. If a call of a detached logger
 * throws it that waits for a level, such as a commit, the records that it waits for were accepted: they stay in the
 * queue and are written once there is space, so do not append them again.
 */
public final class LogFullException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the operating system said, or null. */
    public LogFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
