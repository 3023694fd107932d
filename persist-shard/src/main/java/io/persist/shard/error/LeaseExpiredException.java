package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/**
 * The handle was silent for longer than its lease, so others went on without it. What it was told before holds, and
 * this call has changed nothing. Open a new one; an append that threw {@link IndeterminateException} before may have
 * happened.
 */
public final class LeaseExpiredException extends ShardException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the layer below said, or null. */
    public LeaseExpiredException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
