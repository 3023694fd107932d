package io.persist.log;

import static java.util.Objects.requireNonNull;

import io.persist.error.Limits;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a detached logger: how records get to the writer thread. Immutable; made by {@link #builder}.
 *
 * <p>A detached logger takes 512 TiB each time that it is opened. After that an append throws an {@link
 * IllegalStateException} that says so; what was accepted is written, and a logger that is opened anew goes on.
 */
public final class DetachedConfig {

    public static final int DEFAULT_QUEUE_DEPTH = 1024;
    public static final int MAX_QUEUE_DEPTH = 32_768;
    public static final long MIN_QUEUE_BYTES = 4096;
    public static final long MAX_QUEUE_BYTES = 1L << 40;

    private static final long MAX_DEFAULT_QUEUE_BYTES = 64L << 20;

    /** The value of {@code fullTimeout} that sets no limit. */
    public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    /** The default bytes of a queue: 64 MiB, or a quarter of the heap's maximum if that is less. */
    public static long defaultQueueBytes() {
        long quarter = Runtime.getRuntime().maxMemory() / 4;
        return Math.max(MIN_QUEUE_BYTES, Math.min(MAX_DEFAULT_QUEUE_BYTES, quarter));
    }

    private final int queueDepth;
    private final long queueBytes;
    private final WaitStrategy waitStrategy;
    private final Duration fullTimeout;
    private final @Nullable ThreadFactory threadFactory;

    private DetachedConfig(Builder builder) {
        this.queueDepth = Integer.highestOneBit(2 * builder.queueDepth - 1); // a power of two
        this.queueBytes = builder.queueBytes;
        this.waitStrategy = requireNonNull(builder.waitStrategy, "waitStrategy");
        this.fullTimeout = requireNonNull(builder.fullTimeout, "fullTimeout");
        this.threadFactory = builder.threadFactory;
    }

    /** A configuration with every default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Entries of the queue, a power of two. */
    public int queueDepth() {
        return queueDepth;
    }

    /** Bytes of records in the queue from which on it takes no more. */
    public long queueBytes() {
        return queueBytes;
    }

    /** What the writer thread does while the queue is empty. */
    public WaitStrategy waitStrategy() {
        return waitStrategy;
    }

    /** How long an append waits for room in the queue; {@link #FOREVER} for any time, zero for none. */
    public Duration fullTimeout() {
        return fullTimeout;
    }

    /** Makes the writer thread; null for a daemon thread. */
    public @Nullable ThreadFactory threadFactory() {
        return threadFactory;
    }

    /** Every setting with its value, in one line. */
    @Override
    public String toString() {
        return "DetachedConfig[queueDepth=" + queueDepth + ", queueBytes=" + queueBytes + ", waitStrategy="
                + waitStrategy + ", fullTimeout=" + (fullTimeout.equals(FOREVER) ? "forever" : fullTimeout)
                + ", threadFactory=" + (threadFactory == null ? "default" : threadFactory) + "]";
    }

    /** Collects the settings; each method says the consequence, the default and the limits. */
    public static final class Builder {

        private int queueDepth = DEFAULT_QUEUE_DEPTH;
        private long queueBytes = defaultQueueBytes();
        private WaitStrategy waitStrategy = WaitStrategy.BLOCKING;
        private Duration fullTimeout = FOREVER;
        private @Nullable ThreadFactory threadFactory;

        private Builder() {}

        /**
         * Entries of the queue: how many records can be on their way while the writer thread waits for the device.
         * Default 1024; 1 to 32,768, rounded up to a power of two.
         */
        public Builder queueDepth(int entries) {
            this.queueDepth = entries;
            return this;
        }

        /**
         * Bytes of the queue, as its records will take them in the log. The queue takes a record as long as its records
         * have fewer bytes than this: so it may hold one record more, also one that is longer than this. An entry keeps
         * memory of up to its share for the next record, at least 1 KiB of it; a longer record gets memory of its own,
         * which is garbage once the writer thread has taken it. So the queue needs about twice as much at most. Default
         * 64 MiB, or a quarter of the heap's maximum if that is less; 4 KiB to 1 TiB.
         */
        public Builder queueBytes(long bytes) {
            this.queueBytes = bytes;
            return this;
        }

        /** What the writer thread does while the queue is empty. Default {@link WaitStrategy#BLOCKING}. */
        public Builder waitStrategy(WaitStrategy value) {
            this.waitStrategy = value;
            return this;
        }

        /** An append waits until the queue has room, in entries and in bytes: the default. */
        public Builder blockWhenFull() {
            this.fullTimeout = FOREVER;
            return this;
        }

        /**
         * An append waits at most {@code timeout} for room in the queue, then throws {@link
         * io.persist.error.QueueFullException}. 0 to a day.
         */
        public Builder waitWhenFull(Duration timeout) {
            if (timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0) {
                throw new IllegalArgumentException("waitWhenFull=" + timeout + ", min=PT0S, max=PT24H");
            }
            this.fullTimeout = timeout;
            return this;
        }

        /** An append that finds no room throws {@link io.persist.error.QueueFullException} at once. */
        public Builder failWhenFull() {
            this.fullTimeout = Duration.ZERO;
            return this;
        }

        /**
         * Makes the writer thread: the place to give it a name, a priority, or a CPU of its own. By default a daemon
         * thread that is named as the log's others are. Opening the log starts the thread, and throws an {@link
         * IllegalArgumentException} if the factory has started it already. This thread itself has to run the Runnable:
         * in another thread the Runnable throws an {@link IllegalStateException}, and so does the opening. Give a
         * platform thread: on JDK 21 to 23 a virtual thread that closes the logger keeps its carrier while it waits for
         * the writer thread, and that may be the only one.
         */
        public Builder threadFactory(ThreadFactory factory) {
            this.threadFactory = requireNonNull(factory, "threadFactory");
            return this;
        }

        /** @throws IllegalArgumentException if a value is out of its range */
        public DetachedConfig build() {
            Limits.check("queueDepth", queueDepth, 1, MAX_QUEUE_DEPTH);
            Limits.check("queueBytes", queueBytes, MIN_QUEUE_BYTES, MAX_QUEUE_BYTES);
            return new DetachedConfig(this);
        }
    }
}
