package io.persist.shard.machine;

/** A version is longer than its consensus takes, and would be so again: the cause of a determinate failure. */
public final class TooLongException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooLongException(String message) {
        super(message);
    }
}
