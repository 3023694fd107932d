package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/**
 * An object of the blob or a version of the consensus is missing, cut, damaged, or of another shard. Nothing of it was
 * given to a reader. Restore the object; what does not need it can be read.
 */
public final class DamagedShardException extends ShardException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the layer below said, or null. */
    public DamagedShardException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
