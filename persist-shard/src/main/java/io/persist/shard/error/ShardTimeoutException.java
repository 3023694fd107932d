package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/**
 * The time of a call that waits is over. Nothing was changed, and the call can be repeated.
 */
public final class ShardTimeoutException extends ShardException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the layer below said, or null. */
    public ShardTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
