package io.persist.peers.state;

import io.persist.log.Durability;
import io.persist.store.StoreConfig;
import java.nio.file.Path;

/**
 * How an engine is opened.
 *
 * @param directory where its files are
 * @param durability what its commits wait for
 * @param checkpointPercent of a {@code StoreLogger}: as {@link StoreConfig} says; 0 means no checkpoint by itself
 * @param compactionBytesPerSecond of a {@code StoreLogger}: what compaction reads and writes, or more
 * @param blockCacheBytes of RocksDB: its block cache
 */
public record StateEngineConfig(
        Path directory,
        Durability durability,
        int checkpointPercent,
        long compactionBytesPerSecond,
        long blockCacheBytes) {

    /** The system property with the MiB of RocksDB's block cache. */
    static final String BLOCK_CACHE_PROPERTY = "persist.jmh.rocksdbCacheMiB";

    /** Kafka Streams' default. */
    private static final int DEFAULT_BLOCK_CACHE_MIB = 50;

    /** Every default. */
    public static StateEngineConfig of(Path directory, Durability durability) {
        return new StateEngineConfig(
                directory,
                durability,
                StoreConfig.DEFAULT_CHECKPOINT_PERCENT,
                StoreConfig.DEFAULT_BYTES_PER_SECOND,
                Long.getLong(BLOCK_CACHE_PROPERTY, DEFAULT_BLOCK_CACHE_MIB) << 20);
    }

    public StateEngineConfig withoutCheckpoints() {
        return new StateEngineConfig(directory, durability, 0, compactionBytesPerSecond, blockCacheBytes);
    }

    public StateEngineConfig withCompaction(long bytesPerSecond) {
        return new StateEngineConfig(directory, durability, checkpointPercent, bytesPerSecond, blockCacheBytes);
    }
}
