package io.persist.store;

import static java.util.Objects.requireNonNull;

import io.persist.error.Limits;
import io.persist.log.LogConfig;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store that can be changed while it runs, by {@code StoreLogger.tune}. Until then they are as its
 * configuration has them. Immutable.
 *
 * <pre>{@code
 * store.tune(store.tuning().withSyncInterval(Duration.ofMillis(10)));
 * }</pre>
 */
public final class StoreTuning {

    private final int checkpointPercent;
    private final long checkpointMinLogBytes;
    private final long checkpointBytesPerSecond;
    private final Duration syncInterval;

    private StoreTuning(
            int checkpointPercent, long checkpointMinLogBytes, long checkpointBytesPerSecond, Duration syncInterval) {
        Limits.check("checkpointPercent", checkpointPercent, 0, 1000);
        Limits.check("checkpointMinLogBytes", checkpointMinLogBytes, 0, 1L << 40);
        Limits.check("checkpointBytesPerSecond", checkpointBytesPerSecond, 1 << 20, Long.MAX_VALUE);
        requireNonNull(syncInterval, "syncInterval");
        Limits.checkUnlessZero("syncInterval", syncInterval, LogConfig.MIN_SYNC_INTERVAL, LogConfig.MAX_SYNC_INTERVAL);
        this.checkpointPercent = checkpointPercent;
        this.checkpointMinLogBytes = checkpointMinLogBytes;
        this.checkpointBytesPerSecond = checkpointBytesPerSecond;
        this.syncInterval = syncInterval;
    }

    /** What a configuration has that says nothing else. */
    public static StoreTuning defaults() {
        return new StoreTuning(
                StoreConfig.DEFAULT_CHECKPOINT_PERCENT,
                StoreConfig.DEFAULT_CHECKPOINT_MIN_LOG_BYTES,
                StoreConfig.DEFAULT_BYTES_PER_SECOND,
                Duration.ZERO);
    }

    /** What {@code config} says. */
    public static StoreTuning of(StoreConfig config) {
        return new StoreTuning(
                config.checkpointPercent(),
                config.checkpointMinLogBytes(),
                config.checkpointBytesPerSecond(),
                config.log().syncInterval());
    }

    /**
     * By how many percent the log after the last checkpoint has to be longer than what the next one would write; 0 to
     * 1000, where 0 means: only when compaction, or the memory of the index, needs one.
     */
    public int checkpointPercent() {
        return checkpointPercent;
    }

    /** The least number of bytes of the log after the last checkpoint before the next one; 0 to 1 TiB. */
    public long checkpointMinLogBytes() {
        return checkpointMinLogBytes;
    }

    /** The most bytes per second that a checkpoint in the background writes; from 1 MiB. */
    public long checkpointBytesPerSecond() {
        return checkpointBytesPerSecond;
    }

    /**
     * The time after which a background thread syncs what is committed; 1 ms to an hour, or zero, which means: never.
     */
    public Duration syncInterval() {
        return syncInterval;
    }

    /**
     * The same but for the percent.
     *
     * @throws IllegalArgumentException if {@code percent} is out of its range
     */
    public StoreTuning withCheckpointPercent(int percent) {
        return new StoreTuning(percent, checkpointMinLogBytes, checkpointBytesPerSecond, syncInterval);
    }

    /**
     * The same but for the least number of bytes of the log.
     *
     * @throws IllegalArgumentException if {@code bytes} is out of its range
     */
    public StoreTuning withCheckpointMinLogBytes(long bytes) {
        return new StoreTuning(checkpointPercent, bytes, checkpointBytesPerSecond, syncInterval);
    }

    /**
     * The same but for the rate of checkpoints.
     *
     * @throws IllegalArgumentException if {@code bytes} is out of its range
     */
    public StoreTuning withCheckpointBytesPerSecond(long bytes) {
        return new StoreTuning(checkpointPercent, checkpointMinLogBytes, bytes, syncInterval);
    }

    /**
     * The same but for the interval of syncs.
     *
     * @throws IllegalArgumentException if {@code time} is out of its range
     */
    public StoreTuning withSyncInterval(Duration time) {
        return new StoreTuning(checkpointPercent, checkpointMinLogBytes, checkpointBytesPerSecond, time);
    }

    /** Whether {@code other} has the same settings. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoreTuning tuning
                && checkpointPercent == tuning.checkpointPercent
                && checkpointMinLogBytes == tuning.checkpointMinLogBytes
                && checkpointBytesPerSecond == tuning.checkpointBytesPerSecond
                && syncInterval.equals(tuning.syncInterval);
    }

    @Override
    public int hashCode() {
        return Objects.hash(checkpointPercent, checkpointMinLogBytes, checkpointBytesPerSecond, syncInterval);
    }

    /** Every setting with its value, in one line. */
    @Override
    public String toString() {
        return "StoreTuning[checkpointPercent=" + checkpointPercent + ", checkpointMinLogBytes="
                + checkpointMinLogBytes + ", checkpointBytesPerSecond=" + checkpointBytesPerSecond + ", syncInterval="
                + syncInterval + "]";
    }
}
