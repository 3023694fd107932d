package io.persist.error;

import org.jspecify.annotations.Nullable;

/**
 * There is no direct memory left for the index of a store. Nothing was changed; the store goes on reading, and writing
 * works again once there is memory. {@code -XX:MaxDirectMemorySize} sets how much there is.
 */
public final class IndexFullException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the JVM said, or null. */
    public IndexFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
