package io.persist.shard.state;

import io.persist.shard.model.Frontier;

/**
 * A hold of since that has no lease.
 *
 * @param since from where on its owners want to read
 * @param token what the last owner has put there, for the next one to compare
 * @param owner the handle that has taken it last; empty before the first one has
 */
public record CriticalState(Frontier since, long token, String owner) {}
