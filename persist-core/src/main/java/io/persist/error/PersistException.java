package io.persist.error;

import org.jspecify.annotations.Nullable;

/**
 * Something outside the caller's control went wrong with a log or a store. A caller's own mistake is an {@link
 * IllegalArgumentException} or {@link IllegalStateException} instead.
 *
 * <p>The message is one line: what happened, the value, and what to do about it.
 */
public abstract sealed class PersistException extends RuntimeException
        permits CommitTimeoutException,
                CorruptLogException,
                IndexFullException,
                LogFullException,
                LogIOException,
                LogLockedException,
                QueueFullException,
                RetiredException,
                UnsupportedFormatException {

    private static final long serialVersionUID = 1L;

    PersistException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
