package io.persist.shard.state;

/**
 * What a transition makes of a state.
 *
 * @param next the state after it; the same object if nothing changes
 * @param result what the caller is told
 */
public record Step<R>(ShardState next, R result) {

    /** Whether {@code before}, which it was made of, changes by it. */
    @SuppressWarnings("ReferenceEquality") // transitions that change nothing give the same object
    public boolean isChangeOf(ShardState before) {
        return next != before;
    }
}
