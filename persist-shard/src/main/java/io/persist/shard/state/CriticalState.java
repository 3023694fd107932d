package io.persist.shard.state;

import io.persist.shard.model.Frontier;

/**
 * A hold of since that has no lease.
 *
 * @param since from where on its owners want to read
 * @param token what the last owner has put there, to tell itself from others
 */
public record CriticalState(Frontier since, long token) {}
