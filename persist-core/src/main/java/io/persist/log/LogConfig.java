package io.persist.log;

import static java.util.Objects.requireNonNull;

import io.persist.error.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How a log is kept by its writer. Immutable; made by {@link #builder}. {@link TailerConfig} says how it is read.
 */
public final class LogConfig {

    public static final int DEFAULT_SEGMENT_LENGTH = 64 << 20;
    public static final int DEFAULT_BUFFER_LENGTH = 8192;
    public static final long DEFAULT_FILL_BYTES_PER_SECOND = 1L << 30;
    public static final Duration MIN_SYNC_INTERVAL = Duration.ofMillis(1);
    public static final Duration MAX_SYNC_INTERVAL = Duration.ofHours(1);

    /** The shortest segment, bytes. Each length is a multiple of it. */
    public static final int MIN_SEGMENT_LENGTH = 4096;

    /** The longest segment, bytes. */
    public static final int MAX_SEGMENT_LENGTH = 1 << 30;

    /** So many segments at least may wait for the device: it gets whole ones, while others are made and filled. */
    public static final int MIN_UNSYNCED_SEGMENTS = 4;

    private static final int MIN_BUFFER_LENGTH = 64;
    private static final int MAX_BUFFER_LENGTH = 1 << 30;

    private final Path directory;
    private final int segmentLength;
    private final long initialLength;
    private final Prefill prefill;
    private final WriteMode writeMode;
    private final FileMode fileMode;
    private final int writeBufferLength;
    private final Durability durability;
    private final long fillBytesPerSecond;
    private final Duration syncInterval;
    private final long syncIntervalBytes;
    private final long maxUnsyncedBytes;
    private final Duration lockTimeout;
    private final @Nullable ReentrantLock guard;

    private LogConfig(Builder builder) {
        this.directory = requireNonNull(builder.directory, "directory");
        this.segmentLength = builder.segmentLength;
        this.initialLength = builder.initialLength;
        this.prefill = requireNonNull(builder.prefill, "prefill");
        this.fileMode = requireNonNull(builder.fileMode, "fileMode");
        this.writeBufferLength = builder.writeBufferLength;
        this.durability = requireNonNull(builder.durability, "durability");
        this.writeMode = builder.writeMode != null ? builder.writeMode : WriteMode.suiting(durability, fileMode);
        this.fillBytesPerSecond = builder.fillBytesPerSecond;
        this.syncInterval = requireNonNull(builder.syncInterval, "syncInterval");
        this.syncIntervalBytes = builder.syncIntervalBytes;
        this.maxUnsyncedBytes = builder.maxUnsyncedBytes;
        this.lockTimeout = requireNonNull(builder.lockTimeout, "lockTimeout");
        this.guard = builder.guard;
    }

    /** A configuration of the log in {@code directory} with every default. */
    public static Builder builder(Path directory) {
        return new Builder(directory);
    }

    /** The directory of the log's files; each log has a directory of its own. */
    public Path directory() {
        return directory;
    }

    /** Bytes of each new segment; existing ones keep theirs. */
    public int segmentLength() {
        return segmentLength;
    }

    /** Bytes that are kept filled ahead from the start. */
    public long initialLength() {
        return initialLength;
    }

    /** When the initial length is filled. */
    public Prefill prefill() {
        return prefill;
    }

    /** How records get into a segment: as was said, or else as suits the level and the file mode. */
    public WriteMode writeMode() {
        return writeMode;
    }

    /** What each write waits for in {@link WriteMode#FILE}. */
    public FileMode fileMode() {
        return fileMode;
    }

    /** Bytes gathered before a write in {@link WriteMode#FILE}. */
    public int writeBufferLength() {
        return writeBufferLength;
    }

    /** What {@code commit()} waits for. */
    public Durability durability() {
        return durability;
    }

    /** The most that the filler writes while there is enough space ahead. */
    public long fillBytesPerSecond() {
        return fillBytesPerSecond;
    }

    /** The time after which a background thread syncs what is committed; zero for never. */
    public Duration syncInterval() {
        return syncInterval;
    }

    /** The number of committed bytes after which a background thread syncs; 0 for no limit. */
    public long syncIntervalBytes() {
        return syncIntervalBytes;
    }

    /** The most bytes that may be appended and not be on the device; 0 for a part of the memory. */
    public long maxUnsyncedBytes() {
        return maxUnsyncedBytes;
    }

    /** How long opening the log waits for a writer that has it; zero for not at all. */
    public Duration lockTimeout() {
        return lockTimeout;
    }

    /** The lock under which threads share an attached logger; null if it belongs to one thread at a time. */
    public @Nullable ReentrantLock guard() {
        return guard;
    }

    /** Every setting with its value, in one line. */
    @Override
    public String toString() {
        return "LogConfig[directory=" + directory + ", segmentLength=" + segmentLength + ", initialLength="
                + initialLength + ", prefill=" + prefill + ", writeMode=" + writeMode + ", fileMode=" + fileMode
                + ", writeBufferLength=" + writeBufferLength + ", durability=" + durability + ", fillBytesPerSecond="
                + fillBytesPerSecond + ", syncInterval=" + syncInterval + ", syncIntervalBytes=" + syncIntervalBytes
                + ", maxUnsyncedBytes=" + maxUnsyncedBytes + ", lockTimeout=" + lockTimeout
                + ", guard=" + (guard == null ? "none" : "a lock") + "]";
    }

    /** Collects the settings; each method says the consequence, the default and the limits. */
    public static final class Builder {

        private final Path directory;
        private int segmentLength = DEFAULT_SEGMENT_LENGTH;
        private long initialLength;
        private Prefill prefill = Prefill.BACKGROUND;
        private @Nullable WriteMode writeMode;
        private FileMode fileMode = FileMode.RW;
        private int writeBufferLength = DEFAULT_BUFFER_LENGTH;
        private Durability durability = Durability.BUFFERED;
        private long fillBytesPerSecond = DEFAULT_FILL_BYTES_PER_SECOND;
        private Duration syncInterval = Duration.ZERO;
        private long syncIntervalBytes;
        private long maxUnsyncedBytes;
        private Duration lockTimeout = Duration.ZERO;
        private @Nullable ReentrantLock guard;

        private Builder(Path directory) {
            this.directory = directory;
        }

        /**
         * Bytes of each new segment: the largest record is a little less, and retention works by whole segments.
         * Default 64 MiB; 4 KiB to 1 GiB, a multiple of 4 KiB.
         */
        public Builder segmentLength(int bytes) {
            this.segmentLength = bytes;
            return this;
        }

        /**
         * Bytes of the log that are filled ahead from the start. After that, and with 0, the filler stays ahead by what
         * the appender writes in a fifth of a second: 16 to 256 MiB. Each segment that is ahead takes a file descriptor
         * or two, so choose longer segments for a large one. Default 0; 0 to 1 TiB.
         */
        public Builder initialLength(long bytes) {
            this.initialLength = bytes;
            return this;
        }

        /** When the initial length is filled. Default {@link Prefill#BACKGROUND}. */
        public Builder prefill(Prefill value) {
            this.prefill = value;
            return this;
        }

        /**
         * How records get into a segment. By default {@link WriteMode#FILE} if the configured level is {@link
         * Durability#SYNCED}, or the file mode is not {@link FileMode#RW}, as that is the fastest way to sync; else
         * {@link WriteMode#MAPPED}.
         */
        public Builder writeMode(WriteMode value) {
            this.writeMode = requireNonNull(value, "writeMode");
            return this;
        }

        /**
         * What each write waits for. Default {@link FileMode#RW}; the other modes are for {@link WriteMode#FILE}, and
         * choose it.
         */
        public Builder fileMode(FileMode value) {
            this.fileMode = value;
            return this;
        }

        /**
         * Bytes gathered before a write in {@link WriteMode#FILE}: a larger buffer means fewer system calls, and more
         * unflushed bytes that a crash of the process loses. The buffer grows to the largest record. Default 8 KiB; 64
         * B to 1 GiB.
         */
        public Builder writeBufferLength(int bytes) {
            this.writeBufferLength = bytes;
            return this;
        }

        /**
         * What {@code commit()} waits for. Default {@link Durability#BUFFERED}: nothing. {@link Durability#SYNCED} also
         * chooses the write mode, if none is said.
         */
        public Builder durability(Durability value) {
            this.durability = value;
            return this;
        }

        /**
         * The most that the filler writes while there is enough space ahead, so that it leaves the device to the
         * appender. Default 1 GiB/s; at least 1 MiB/s.
         */
        public Builder fillBytesPerSecond(long bytes) {
            this.fillBytesPerSecond = bytes;
            return this;
        }

        /**
         * The time after which what is committed is synced by a background thread, so that a power cut takes no more
         * than the commits of this time. Default zero: never; otherwise 1 ms to an hour.
         */
        public Builder syncInterval(Duration time) {
            this.syncInterval = time;
            return this;
        }

        /**
         * Committed bytes after which a background thread syncs, so that a power cut takes not much more. Default 0: no
         * limit; 0 to 1 TiB.
         */
        public Builder syncIntervalBytes(long bytes) {
            this.syncIntervalBytes = bytes;
            return this;
        }

        /**
         * The most bytes that may be appended and not be on the device, since the log was opened and beyond its initial
         * length. From half of it on appends are slowed down, little by little, to the speed of the device: else the
         * kernel would stop the thread that appends, for hundreds of ms at a time. {@value #MIN_UNSYNCED_SEGMENTS}
         * segments to 1 TiB. Default 0: the most of 512 MiB, 8 segments and 1/16 of the memory, or 1/4 of it if less.
         */
        public Builder maxUnsyncedBytes(long bytes) {
            this.maxUnsyncedBytes = bytes;
            return this;
        }

        /**
         * How long opening the log waits for a writer that has it, in another process or in this one, before it throws
         * a {@link io.persist.error.LogLockedException}. An interrupt ends the wait with that exception, too, and its
         * flag stays up. Default zero: not at all; there is no longest time.
         */
        public Builder lockTimeout(Duration time) {
            this.lockTimeout = time;
            return this;
        }

        /**
         * Threads share an attached logger under {@code lock}: each thread holds it around every append, claim, commit,
         * flush, sync and roll, and a call without it throws. Not for a detached logger or a store, which need no
         * lock. Default none: the logger belongs to the thread that uses it first.
         */
        public Builder guardedBy(ReentrantLock lock) {
            this.guard = requireNonNull(lock, "guardedBy");
            return this;
        }

        /** @throws IllegalArgumentException if a value is out of its range, or two values do not go together */
        public LogConfig build() {
            Limits.check("segmentLength", segmentLength, MIN_SEGMENT_LENGTH, MAX_SEGMENT_LENGTH);
            if (segmentLength % MIN_SEGMENT_LENGTH != 0) {
                throw new IllegalArgumentException("segmentLength=" + segmentLength + " is not a multiple of 4096");
            }
            Limits.check("initialLength", initialLength, 0, 1L << 40);
            Limits.check("writeBufferLength", writeBufferLength, MIN_BUFFER_LENGTH, MAX_BUFFER_LENGTH);
            Limits.check("fillBytesPerSecond", fillBytesPerSecond, 1 << 20, Long.MAX_VALUE);
            Limits.checkUnlessZero("syncInterval", syncInterval, MIN_SYNC_INTERVAL, MAX_SYNC_INTERVAL);
            Limits.check("syncIntervalBytes", syncIntervalBytes, 0, 1L << 40);
            if (maxUnsyncedBytes != 0) {
                Limits.check(
                        "maxUnsyncedBytes", maxUnsyncedBytes, (long) MIN_UNSYNCED_SEGMENTS * segmentLength, 1L << 40);
            }
            Limits.checkNotNegative("lockTimeout", lockTimeout);
            if (writeMode == WriteMode.MAPPED && fileMode != FileMode.RW) {
                throw new IllegalArgumentException(
                        "fileMode=" + fileMode + " means nothing for writeMode=MAPPED; use writeMode=FILE");
            }
            return new LogConfig(this);
        }
    }
}
