/**
 * RocksDB for {@code bin/persist cache}, beside the store: {@link io.persist.bench.cache} has the program.
 *
 * <pre>
 *   CacheCommand (persist-bench) --→ CacheEngine: StoreEngine, and by the ServiceLoader RocksCache --→ RocksCacheEngine
 *   threads: those of the program; one that syncs RocksDB's log
 * </pre>
 */
@NullMarked
package io.persist.peers.cache;

import org.jspecify.annotations.NullMarked;
