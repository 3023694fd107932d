/**
 * The programs of shards: {@code bin/persist shard-bench}, {@code shard}, {@code shard-cas} and {@code shards}.
 *
 * <pre>
 *   io.persist.shard.bench
 *     micro                        shard-bench: what each operation costs          ↓ uses
 *     loop                         shard: writers and readers at a rate, an open loop
 *     slope                        shard-cas: whether the cost grows with the number of states
 *     verb                         shards: list, show, verify, gc
 *     place                        where shards are for the time of a run, flags, results
 * </pre>
 */
@NullMarked
package io.persist.shard.bench;

import org.jspecify.annotations.NullMarked;
