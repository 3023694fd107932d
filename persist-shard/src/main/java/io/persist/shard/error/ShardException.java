package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/**
 * Something outside the caller's control went wrong with a shard. The message is one line: what happened, the value,
 * and what to do about it.
 */
public abstract sealed class ShardException extends RuntimeException
        permits CodecMismatchException,
                DamagedShardException,
                LeaseExpiredException,
                LocationException,
                NewerVersionException,
                ShardTimeoutException,
                SinceException {

    private static final long serialVersionUID = 1L;

    ShardException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
