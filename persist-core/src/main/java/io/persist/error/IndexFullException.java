package io.persist.error;

import org.jspecify.annotations.Nullable;

/**
 * There is no memory left for changes of a store's index, also after a checkpoint. Nothing was changed; the store goes
 * on reading, and writing works again once there is memory: scans and snapshots give some back when they are closed,
 * and so do other stores of the process, which share it. {@code indexMemoryBytes} and {@code -XX:MaxDirectMemorySize}
 * say how much there is. Less is needed if transactions have fewer changes.
 */
public final class IndexFullException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the JVM said, or null. */
    public IndexFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
