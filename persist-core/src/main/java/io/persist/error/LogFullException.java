package io.persist.error;

import org.jspecify.annotations.Nullable;

/**
 * There is no space for another record. The record was not accepted; all earlier ones are safe and readable, and
 * appending works again once there is space.
 */
public final class LogFullException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the operating system said, or null. */
    public LogFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
