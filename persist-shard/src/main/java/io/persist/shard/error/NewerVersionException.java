package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/**
 * A newer version of Persist wrote it. Use that version or a newer one; nothing was changed.
 */
public final class NewerVersionException extends ShardException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the layer below said, or null. */
    public NewerVersionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
