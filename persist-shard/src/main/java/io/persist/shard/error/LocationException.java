package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/** A blob or a consensus did not do as it was asked. Which of the two kinds it is says what a retry may do. */
public abstract sealed class LocationException extends ShardException
        permits DeterminateException, IndeterminateException {

    private static final long serialVersionUID = 1L;

    LocationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
