/**
 * Shards: durable collections that change over time, which many writers and readers share.
 *
 * <pre>
 *    ShardClient --→ Shard --→ ShardWriter   compareAndAppend, append; BatchBuilder → Batch → appendBatch
 *                          --→ ShardReader   snapshot → Snapshot;  listen, subscribe → ShardListener → ShardEvent
 *                          --→ SinceHandle   holds since without a lease
 *    OpenShard     what the handles of one shard share; two BackgroundThreads call it each second, one for leases alone
 *    threads: a handle is used by one thread at a time; those of one shard by as many as there are
 * </pre>
 */
@NullMarked
package io.persist.shard;

import org.jspecify.annotations.NullMarked;
