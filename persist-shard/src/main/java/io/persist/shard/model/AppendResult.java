package io.persist.shard.model;

/**
 * What became of an append.
 *
 * @param status whether it happened
 * @param upper the upper after it, or the one that was found in place of the expected one
 */
public record AppendResult(Status status, Frontier upper) {

    /** Whether it happened. */
    public enum Status {
        /** The updates are in the shard and durable. */
        APPENDED,
        /** The shard has another upper than was expected: nothing was changed. */
        UPPER_MISMATCH
    }

    /** Whether the updates are in the shard. */
    public boolean isAppended() {
        return status == Status.APPENDED;
    }
}
