package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/**
 * The operation surely did not happen, and will not: it can be done again as it is.
 */
public final class DeterminateException extends LocationException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the layer below said, or null. */
    public DeterminateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
