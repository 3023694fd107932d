/**
 * {@code bin/persist cache} with RocksDB beside the store: {@link io.persist.bench.cache} has the program.
 *
 * <pre>
 *   CacheProgram --→ CacheCommand (persist-bench) --→ CacheEngine: StoreEngine, RocksCacheEngine
 *   threads: those of the program; one that syncs RocksDB's log
 * </pre>
 */
@NullMarked
package io.persist.peers.cache;

import org.jspecify.annotations.NullMarked;
