package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/**
 * The operation may have happened, or may still happen: a time ran out, or a connection or a disk failed meanwhile. A
 * write may be repeated only so that twice is the same as once: with the same token, or by {@code append}.
 */
public final class IndeterminateException extends LocationException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the layer below said, or null. */
    public IndeterminateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
