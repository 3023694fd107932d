/**
 * {@code bin/persist cache}: the workload of the cache ARCUS on a store, as memtier drives it.
 *
 * <pre>
 *   CacheCommand: CacheFlags --→ CacheRounds --→ CacheRun, for each CacheTest and CacheMode in turn
 *                                  |  +--→ CacheThread with its clients --→ CacheEngine: MapEngine, StoreEngine
 *                                  |  +--→ CacheSeconds: what happened in each second
 *                                  +--→ CacheResult --→ CacheTable, CacheFiles
 *   threads: those that serve the clients; one that looks each second; one for the checkpoint
 * </pre>
 */
@NullMarked
package io.persist.bench.cache;

import org.jspecify.annotations.NullMarked;
