package io.persist.shard.model;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;

/** The settings of a client of shards. Immutable; made by {@link #builder}. */
public final class ShardConfig {

    /** How often upkeep is done. */
    public enum Upkeep {
        /** By threads of the client, after appends and by the clock: each second, so leases have 5 s at least. */
        BACKGROUND,
        /** Only when the program calls {@code Shard.maintain()}: often enough that no lease ends meanwhile. */
        BY_CALL
    }

    private static final Duration MIN_LEASE = Duration.ofMillis(1);
    private static final Duration MIN_LEASE_RENEWED = Duration.ofSeconds(5); // several renewals, if one is late
    private static final Duration MAX_LEASE = Duration.ofDays(36_500);

    private final int rollupEvery;
    private final int inlineBatchBytes;
    private final int inlineTotalBytes;
    private final int partBytes;
    private final int mergedRuns;
    private final Duration readerLease;
    private final Duration writerLease;
    private final Duration retryTime;
    private final Clock clock;
    private final Upkeep upkeep;

    private ShardConfig(Builder builder) {
        this.rollupEvery = builder.rollupEvery;
        this.inlineBatchBytes = builder.inlineBatchBytes;
        this.inlineTotalBytes = builder.inlineTotalBytes;
        this.partBytes = builder.partBytes;
        this.mergedRuns = builder.mergedRuns;
        this.readerLease = requireNonNull(builder.readerLease, "readerLease");
        this.writerLease = requireNonNull(builder.writerLease, "writerLease");
        this.retryTime = requireNonNull(builder.retryTime, "retryTime");
        this.clock = requireNonNull(builder.clock, "clock");
        this.upkeep = requireNonNull(builder.upkeep, "upkeep");
    }

    /** A builder with every default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Every how many versions the whole state is written. */
    public int rollupEvery() {
        return rollupEvery;
    }

    /** The longest batch that is kept in the state itself, in bytes. */
    public int inlineBatchBytes() {
        return inlineBatchBytes;
    }

    /** The most bytes of batches in the state; when they are used up, batches go to the blob. */
    public int inlineTotalBytes() {
        return inlineTotalBytes;
    }

    /** The length at which an object of the blob is cut, in bytes. */
    public int partBytes() {
        return partBytes;
    }

    /**
     * The most sorted runs that compaction merges at once, if it has a whole object of each in memory: with the length
     * of a part, its bound of memory. Where objects are read in pieces, as files are, it is three times as many. Runs
     * with long rows are fewer, so that the bound holds for them, but two at least.
     */
    public int mergedRuns() {
        return mergedRuns;
    }

    /** How long a reader may be silent. */
    public Duration readerLease() {
        return readerLease;
    }

    /** How long a writer may be silent. */
    public Duration writerLease() {
        return writerLease;
    }

    /**
     * How long a call repeats what has failed before it throws, also behind a timeout that it was given: that one is
     * for what others do.
     */
    public Duration retryTime() {
        return retryTime;
    }

    /** The clock of leases. */
    public Clock clock() {
        return clock;
    }

    /** How often upkeep is done. */
    public Upkeep upkeep() {
        return upkeep;
    }

    /** Makes a {@link ShardConfig}. */
    public static final class Builder {

        private int rollupEvery = 128;
        private int inlineBatchBytes = 16 << 10;
        private int inlineTotalBytes = 1 << 20;
        private int partBytes = 4 << 20;
        private int mergedRuns = 16;
        private Duration readerLease = Duration.ofMinutes(15);
        private Duration writerLease = Duration.ofMinutes(60);
        private Duration retryTime = Duration.ofSeconds(30);
        private Clock clock = Clock.systemUTC();
        private Upkeep upkeep = Upkeep.BACKGROUND;

        private Builder() {}

        /** Every how many versions the whole state is written: 1 to 100,000, 128 by default. */
        public Builder rollupEvery(int versions) {
            rollupEvery = within("rollupEvery", versions, 1, 100_000);
            return this;
        }

        /** The longest batch in the state: 0 (none) to 1 MiB, 16 KiB by default. */
        public Builder inlineBatchBytes(int bytes) {
            inlineBatchBytes = within("inlineBatchBytes", bytes, 0, 1 << 20);
            return this;
        }

        /** The most bytes of batches in the state: 0 to 16 MiB, 1 MiB by default. */
        public Builder inlineTotalBytes(int bytes) {
            inlineTotalBytes = within("inlineTotalBytes", bytes, 0, 16 << 20);
            return this;
        }

        /** The length at which an object is cut: 1 KiB to 1 GiB, 4 MiB by default. */
        public Builder partBytes(int bytes) {
            partBytes = within("partBytes", bytes, 1 << 10, 1 << 30);
            return this;
        }

        /** The most runs that are merged at once: 8 to 1,024, 16 by default. */
        public Builder mergedRuns(int runs) {
            mergedRuns = within("mergedRuns", runs, 8, 1024);
            return this;
        }

        /** How long a reader may be silent: 1 ms, or 5 s in the background, to 36,500 days; 15 minutes by default. */
        public Builder readerLease(Duration time) {
            readerLease = lease("readerLease", time);
            return this;
        }

        /** How long a writer may be silent: 1 ms, or 5 s in the background, to 36,500 days; an hour by default. */
        public Builder writerLease(Duration time) {
            writerLease = lease("writerLease", time);
            return this;
        }

        /** How long a call repeats what has failed: 30 seconds by default, 0 for no repetition. */
        public Builder retryTime(Duration time) {
            if (time.isNegative()) {
                throw new IllegalArgumentException("retryTime=" + time + ": 0 or more");
            }
            retryTime = time;
            return this;
        }

        /** The clock of leases; that of the system by default. */
        public Builder clock(Clock value) {
            clock = value;
            return this;
        }

        /** How often upkeep is done; in the background by default. */
        public Builder upkeep(Upkeep value) {
            upkeep = value;
            return this;
        }

        /**
         * The settings.
         *
         * @throws IllegalArgumentException if a lease is over before upkeep in the background is sure to renew it
         */
        public ShardConfig build() {
            if (upkeep == Upkeep.BACKGROUND) {
                checkRenewed("readerLease", readerLease);
                checkRenewed("writerLease", writerLease);
            }
            return new ShardConfig(this);
        }

        private static int within(String name, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(name + "=" + value + ": " + least + " to " + most);
            }
            return value;
        }

        /** Others end what is over: the lease of a handle that lives, again and again. */
        private static void checkRenewed(String name, Duration lease) {
            if (lease.compareTo(MIN_LEASE_RENEWED) < 0) {
                throw new IllegalArgumentException(name + "=" + lease
                        + ": it is renewed each second, so 5 s or more, or Upkeep.BY_CALL and calls of maintain()");
            }
        }

        /** The state of a shard has it in milliseconds. */
        private static Duration lease(String name, Duration time) {
            if (time.compareTo(MIN_LEASE) < 0 || time.compareTo(MAX_LEASE) > 0) {
                throw new IllegalArgumentException(name + "=" + time + ": 1 ms to 36,500 days");
            }
            return time;
        }
    }
}
