/**
 * The state of a shard and all that can happen to it, as pure functions: no clock, no file, no thread.
 *
 * <pre>
 *    ShardState --Appends, Holders, Merges--→ Step: the next ShardState, and what the caller is told
 *                      ↑ AppendTable decides          the same state: there is nothing to write
 *    StateBytes        the changes between two states, or a whole one  ↔  bytes of a version
 *    RunLimit          how many runs are read at once
 *    Collection        ShardState → which objects nobody needs
 * </pre>
 */
@NullMarked
package io.persist.shard.state;

import org.jspecify.annotations.NullMarked;
