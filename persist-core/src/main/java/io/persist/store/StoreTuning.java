package io.persist.store;

import static java.util.Objects.requireNonNull;

import io.persist.error.Limits;
import io.persist.log.LogConfig;
import java.time.Duration;

/**
 * The settings of a store that can be changed while it runs, by {@code StoreLogger.tune}. Until then they are as its
 * configuration has them. Immutable.
 *
 * <pre>{@code
 * store.tune(store.tuning().withSyncInterval(Duration.ofMillis(10)));
 * }</pre>
 *
 * @param checkpointPercent by how many percent the log after the last checkpoint has to be longer than what the next
 *     one would write; 0 to 1000, where 0 means: only when compaction, or the memory of the index, needs one
 * @param checkpointMinLogBytes the least number of bytes of the log after the last checkpoint before the next one; 0 to
 *     1 TiB
 * @param checkpointBytesPerSecond the most that a checkpoint in the background writes; from 1 MiB/s
 * @param syncInterval the time after which a background thread syncs what is committed; 1 ms to an hour, or zero,
 *     which means: never
 */
public record StoreTuning(
        int checkpointPercent, long checkpointMinLogBytes, long checkpointBytesPerSecond, Duration syncInterval) {

    /** @throws IllegalArgumentException if a value is out of its range */
    public StoreTuning {
        Limits.check("checkpointPercent", checkpointPercent, 0, 1000);
        Limits.check("checkpointMinLogBytes", checkpointMinLogBytes, 0, 1L << 40);
        Limits.check("checkpointBytesPerSecond", checkpointBytesPerSecond, 1 << 20, Long.MAX_VALUE);
        requireNonNull(syncInterval, "syncInterval");
        Limits.checkUnlessZero("syncInterval", syncInterval, LogConfig.MIN_SYNC_INTERVAL, LogConfig.MAX_SYNC_INTERVAL);
    }

    /** What {@code config} says. */
    public static StoreTuning of(StoreConfig config) {
        return new StoreTuning(
                config.checkpointPercent(),
                config.checkpointMinLogBytes(),
                config.checkpointBytesPerSecond(),
                config.log().syncInterval());
    }

    /** The same but for the percent. */
    public StoreTuning withCheckpointPercent(int percent) {
        return new StoreTuning(percent, checkpointMinLogBytes, checkpointBytesPerSecond, syncInterval);
    }

    /** The same but for the least number of bytes of the log. */
    public StoreTuning withCheckpointMinLogBytes(long bytes) {
        return new StoreTuning(checkpointPercent, bytes, checkpointBytesPerSecond, syncInterval);
    }

    /** The same but for the rate of checkpoints. */
    public StoreTuning withCheckpointBytesPerSecond(long bytes) {
        return new StoreTuning(checkpointPercent, checkpointMinLogBytes, bytes, syncInterval);
    }

    /** The same but for the interval of syncs. */
    public StoreTuning withSyncInterval(Duration time) {
        return new StoreTuning(checkpointPercent, checkpointMinLogBytes, checkpointBytesPerSecond, time);
    }
}
