package io.persist.shard.machine;

import io.persist.shard.state.ShardState;

/**
 * A state that was read or made.
 *
 * @param state at its version
 * @param whole the last version that has all of the state
 * @param checksum of the bytes of its version
 */
record Known(ShardState state, long whole, long checksum) {

    long version() {
        return state.version();
    }
}
