package io.persist.store;

import static java.util.Objects.requireNonNull;

import io.persist.error.Limits;
import io.persist.log.LogConfig;
import java.nio.file.Path;

/**
 * The settings of a store. Immutable; made by {@link #builder}.
 */
public final class StoreConfig {

    public static final int DEFAULT_CHECKPOINT_PERCENT = 100;
    public static final long DEFAULT_CHECKPOINT_MIN_LOG_BYTES = 256L << 20;
    public static final double DEFAULT_MAX_SPACE_RATIO = 2.0;
    public static final long DEFAULT_BYTES_PER_SECOND = 64L << 20;
    public static final int DEFAULT_COMPACTION_STEP_BYTES = 64 << 10;

    /** Stands for three quarters of the direct memory that the JVM allows, which all stores of a process share. */
    public static final long DEFAULT_INDEX_MEMORY_BYTES = 0;

    private final LogConfig log;
    private final Path checkpointDirectory;
    private final int checkpointPercent;
    private final long checkpointMinLogBytes;
    private final long checkpointBytesPerSecond;
    private final double maxSpaceRatio;
    private final long compactionBytesPerSecond;
    private final int compactionStepBytes;
    private final OldValues oldValues;
    private final long indexMemoryBytes;

    private StoreConfig(Builder builder) {
        this.log = requireNonNull(builder.log, "log");
        this.checkpointDirectory = requireNonNull(builder.checkpointDirectory, "checkpointDirectory");
        this.checkpointPercent = builder.checkpointPercent;
        this.checkpointMinLogBytes = builder.checkpointMinLogBytes;
        this.checkpointBytesPerSecond = builder.checkpointBytesPerSecond;
        this.maxSpaceRatio = builder.maxSpaceRatio;
        this.compactionBytesPerSecond = builder.compactionBytesPerSecond;
        this.compactionStepBytes = builder.compactionStepBytes;
        this.oldValues = requireNonNull(builder.oldValues, "oldValues");
        this.indexMemoryBytes = builder.indexMemoryBytes;
    }

    /** A configuration of the store whose log {@code log} describes, with every other default. */
    public static Builder builder(LogConfig log) {
        return new Builder(log);
    }

    /** The settings of the store's log. */
    public LogConfig log() {
        return log;
    }

    /** The directory of the checkpoints. */
    public Path checkpointDirectory() {
        return checkpointDirectory;
    }

    /**
     * By how many percent the log after the last checkpoint has to be longer than what the next one would write.
     */
    public int checkpointPercent() {
        return checkpointPercent;
    }

    /** The least number of bytes of the log after the last checkpoint before the next one. */
    public long checkpointMinLogBytes() {
        return checkpointMinLogBytes;
    }

    /** The most bytes per second that a checkpoint writes. */
    public long checkpointBytesPerSecond() {
        return checkpointBytesPerSecond;
    }

    /** Bytes on disk per byte that is needed, to which compaction keeps. */
    public double maxSpaceRatio() {
        return maxSpaceRatio;
    }

    /** The bytes per second that compaction reads and writes if nothing makes more necessary. */
    public long compactionBytesPerSecond() {
        return compactionBytesPerSecond;
    }

    /** The most bytes that compaction moves at a time. */
    public int compactionStepBytes() {
        return compactionStepBytes;
    }

    /** Whether changes say which value they replace. */
    public OldValues oldValues() {
        return oldValues;
    }

    /** The most bytes of direct memory that the index may have; 0 for three quarters of what the JVM allows. */
    public long indexMemoryBytes() {
        return indexMemoryBytes;
    }

    /** Every setting with its value, in one line, those of the log among them. */
    @Override
    public String toString() {
        return "StoreConfig[log=" + log + ", checkpointDirectory=" + checkpointDirectory + ", checkpointPercent="
                + checkpointPercent + ", checkpointMinLogBytes=" + checkpointMinLogBytes
                + ", checkpointBytesPerSecond=" + checkpointBytesPerSecond + ", maxSpaceRatio=" + maxSpaceRatio
                + ", compactionBytesPerSecond=" + compactionBytesPerSecond + ", compactionStepBytes="
                + compactionStepBytes + ", oldValues=" + oldValues + ", indexMemoryBytes=" + indexMemoryBytes + "]";
    }

    /** Collects the settings; each method says the consequence, the default and the limits. */
    public static final class Builder {

        private final LogConfig log;
        private Path checkpointDirectory;
        private int checkpointPercent = DEFAULT_CHECKPOINT_PERCENT;
        private long checkpointMinLogBytes = DEFAULT_CHECKPOINT_MIN_LOG_BYTES;
        private long checkpointBytesPerSecond = DEFAULT_BYTES_PER_SECOND;
        private double maxSpaceRatio = DEFAULT_MAX_SPACE_RATIO;
        private long compactionBytesPerSecond = DEFAULT_BYTES_PER_SECOND;
        private int compactionStepBytes = DEFAULT_COMPACTION_STEP_BYTES;
        private OldValues oldValues = OldValues.OMIT;
        private long indexMemoryBytes = DEFAULT_INDEX_MEMORY_BYTES;

        private Builder(LogConfig log) {
            this.log = log;
            this.checkpointDirectory = log.directory();
        }

        /** The directory of the checkpoints: best on another device than the log. Default: the log's. */
        public Builder checkpointDirectory(Path value) {
            this.checkpointDirectory = value;
            return this;
        }

        /**
         * A checkpoint is written when the log after the last one is longer, by this many percent, than what the new
         * one would write (the index nodes that have changed), and has {@link #checkpointMinLogBytes} too. Less means
         * faster recovery and more writing. Default 100; 0 to 1000, where 0 means: only when compaction, or the memory
         * of the index, needs one.
         */
        public Builder checkpointPercent(int percent) {
            this.checkpointPercent = percent;
            return this;
        }

        /**
         * How long the log after the last checkpoint has to be at least before the next one. Default 256 MiB; 0 to 1
         * TiB.
         */
        public Builder checkpointMinLogBytes(long bytes) {
            this.checkpointMinLogBytes = bytes;
            return this;
        }

        /**
         * The most that a checkpoint writes, so that it leaves the device to commits. Default 64 MiB/s; from 1 MiB/s.
         */
        public Builder checkpointBytesPerSecond(long bytes) {
            this.checkpointBytesPerSecond = bytes;
            return this;
        }

        /**
         * The most bytes on disk for each byte that is needed. Compaction begins at three quarters of the way from 1 to
         * this ratio: at 1.75 by default. In a store in which nothing is committed any more it begins at one fifth of
         * the way, and counts the checkpoints too. It cannot touch records after the older of two checkpoints, and
         * what values leave over at the end of a segment, because they are long for it, does not count. A smaller
         * ratio means less space and more copying. Default 2; 1.1 to 100, or 0: never by itself.
         */
        public Builder maxSpaceRatio(double ratio) {
            this.maxSpaceRatio = ratio;
            return this;
        }

        /**
         * The bytes per second that compaction reads and copies together while no garbage is made. While some is made,
         * compaction adds what it takes to give that back; and it works faster the nearer the log comes to {@link
         * #maxSpaceRatio}, and the further beyond. Default 64 MiB/s; from 1 MiB/s.
         */
        public Builder compactionBytesPerSecond(long bytes) {
            this.compactionBytesPerSecond = bytes;
            return this;
        }

        /**
         * The most that compaction moves at a time, during which commits and gets wait: 64 KiB take some tens of
         * microseconds. A value that is longer is moved alone. Default 64 KiB; 4 KiB to 16 MiB.
         */
        public Builder compactionStepBytes(int bytes) {
            this.compactionStepBytes = bytes;
            return this;
        }

        /** Whether a change says which value it replaces, for change capture. Default {@link OldValues#OMIT}. */
        public Builder oldValues(OldValues value) {
            this.oldValues = value;
            return this;
        }

        /**
         * The most direct memory that the index has for its nodes. An index that is larger works: parts that did not
         * change since the last checkpoint are read again when they are needed, and a checkpoint is written when the
         * others come to three eighths of this. Less means more reads, and more checkpoints. Default 0: three quarters
         * of what the JVM allows, {@code -XX:MaxDirectMemorySize}; from 1 MiB. All stores of a process share these
         * three quarters, or what one of them may have if that is more.
         */
        public Builder indexMemoryBytes(long bytes) {
            this.indexMemoryBytes = bytes;
            return this;
        }

        /** @throws IllegalArgumentException if a value is out of its range */
        public StoreConfig build() {
            Limits.check("compactionBytesPerSecond", compactionBytesPerSecond, 1 << 20, Long.MAX_VALUE);
            Limits.check("compactionStepBytes", compactionStepBytes, 4 << 10, 16 << 20);
            if (indexMemoryBytes != 0) {
                Limits.check("indexMemoryBytes", indexMemoryBytes, 1 << 20, Long.MAX_VALUE);
            }
            if (maxSpaceRatio != 0 && !(maxSpaceRatio >= 1.1 && maxSpaceRatio <= 100)) {
                throw new IllegalArgumentException("maxSpaceRatio=" + maxSpaceRatio + ", min=1.1, max=100, or 0");
            }
            StoreConfig config = new StoreConfig(this);
            StoreTuning.of(config); // which checks what can be changed later, too
            return config;
        }
    }
}
