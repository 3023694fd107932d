package io.persist.log.space;

import com.sun.management.OperatingSystemMXBean;
import io.persist.log.LogConfig;
import io.persist.log.sync.LogPositions;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How far the device is behind the appender, and what follows for the thread that fills. Linux has write-back begin at
 * {@code dirty_background_ratio}, a tenth of the memory by default; from half way between that and {@code dirty_ratio}
 * on it stops each thread that makes pages dirty, for up to 200 ms at a time ({@code balance_dirty_pages}). So a log
 * stays below that, and from half of its own bound on goes little by little over to the speed of the device.
 *
 * <p><b>Threads:</b> the one that fills; {@link #leave} the one that appends; {@link #most} any.
 */
final class DeviceLag {

    private static final int PART_OF_MEMORY = 16;

    /** Where the memory is not known, or small; never more than {@link #LARGEST_PART} of it. */
    private static final long USUAL = 512L << 20;

    /** Dirty pages count for a container's limit, beside the heap and all else. */
    private static final int LARGEST_PART = 4;

    /** Syncs are of whole segments, so a rate is one of some of them. */
    private static final long RATE_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Times the speed of the device, at half of the bound; one less at the bound. So it settles in between. */
    private static final double MOST_SPEED = 1.5;

    /** A shorter wait is made up for later. */
    private static final long SHORTEST_WAIT_NS = TimeUnit.MICROSECONDS.toNanos(250);

    /** Then there is another look. */
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What was not used is forgotten. */
    private static final long LONGEST_CREDIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What one step may cost: the rate may be that of a device which did not answer for a while, and is known anew. */
    private static final long LONGEST_DEBT_NS = RATE_INTERVAL_NS;

    /** Asked for once, and not for each log that is opened: the JVM reads files of the control group for it. */
    private static final long MEMORY = memory();

    private final LongSupplier published;
    private final LongSupplier synced;

    /** What was there before is not waited for: nothing may be known of it, or be synced of it alone. */
    private final long openedAt;

    private final long most;
    private final long mostFilled; // a step more is less than the most

    /** What the appender leaves of its segment, 0 while it does not wait for the next one. */
    private volatile long left;

    private long ratePosition;
    private long rateNs;
    private double bytesPerNs;

    /** When the next bytes may be filled. */
    private long nextNs;

    /** Of a log at {@code positions} that has just been opened. */
    DeviceLag(LogPositions positions, LogConfig config) {
        this(positions::published, positions::synced, config, System.nanoTime());
    }

    DeviceLag(LongSupplier published, LongSupplier synced, LogConfig config, long nowNs) {
        this.published = published;
        this.synced = synced;
        this.openedAt = published.getAsLong();
        this.most = most(config, MEMORY);
        this.mostFilled = most - Math.min(config.segmentLength(), FilledSpace.STEP_LENGTH);
        this.ratePosition = openedAt;
        this.rateNs = nowNs;
        this.nextNs = nowNs;
    }

    /** By a machine, or a container, of so many bytes; 0 if that is not known. */
    static long most(LogConfig config, long memory) {
        if (config.maxUnsyncedBytes() != 0) {
            return config.maxUnsyncedBytes();
        }
        long least = (long) LogConfig.MIN_UNSYNCED_SEGMENTS * config.segmentLength();
        long usual = Math.max(Math.max(USUAL, 2 * least), memory / PART_OF_MEMORY);
        return memory == 0 ? usual : Math.max(least, Math.min(usual, memory / LARGEST_PART));
    }

    /** Of the machine, or of the container; 0 if this JVM does not tell. */
    private static long memory() {
        try {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            return system == null ? 0 : system.getTotalMemorySize();
        } catch (RuntimeException | LinkageError e) {
            return 0; // another JVM, or one without that module
        }
    }

    /** The most bytes that may be appended and not be on the device. */
    long most() {
        return most;
    }

    private long synced() {
        return Math.max(synced.getAsLong(), openedAt);
    }

    /**
     * The appender waits for the next segment: the {@code length} bytes before that get no record, and so may be filled
     * as well, whatever the device has. Of a long segment of an earlier life it may be more than the bound, and nothing
     * else moves meanwhile. With 0 it waits no more.
     */
    void leave(long length) {
        left = length;
    }

    /** Up to here may be filled. */
    long bound() {
        return synced() + mostFilled + left;
    }

    /**
     * How long to wait, ns, before more is filled than up to {@code filled}; 0 if not at all.
     *
     * @param target up to where may be filled
     * @param wanted up to where would be filled if the device were fast enough
     */
    long waitNs(long filled, long target, long wanted, long nowNs) {
        observe(nowNs);
        if (filled >= wanted) {
            return 0;
        }
        nextNs = Math.min(nextNs, over(filled) > 0 ? nowNs + LONGEST_DEBT_NS : nowNs);
        long waitNs = filled >= target ? LONGEST_WAIT_NS : nextNs - nowNs;
        return waitNs < SHORTEST_WAIT_NS ? 0 : Math.min(waitNs, LONGEST_WAIT_NS);
    }

    /**
     * How fast the device is can be seen while it has something to do, each time that it has done some: a sync is of a
     * whole segment, and takes as long as it takes.
     */
    private void observe(long nowNs) {
        long done = synced();
        boolean isBusy = published.getAsLong() - done > most / 4;
        long elapsedNs = nowNs - rateNs;
        boolean isMeasured = isBusy && done > ratePosition && elapsedNs >= RATE_INTERVAL_NS;
        if (isMeasured) {
            double now = (double) (done - ratePosition) / elapsedNs;
            bytesPerNs = bytesPerNs == 0 ? now : (bytesPerNs + now) / 2;
        }
        if (isMeasured || !isBusy) {
            ratePosition = done;
            rateNs = nowNs;
        }
    }

    /** {@code length} more bytes were filled from {@code startNs} on, up to {@code position}. */
    void filled(long position, long length, long startNs) {
        double over = over(position);
        boolean isBehind = over > 0 && bytesPerNs > 0;
        long costNs = isBehind ? (long) (length / (bytesPerNs * Math.max(MOST_SPEED - over, MOST_SPEED - 1))) : 0;
        nextNs = Math.max(nextNs, startNs - LONGEST_CREDIT_NS) + costNs;
    }

    /** How far beyond half of the bound is filled: 0 there and 1 at the bound. */
    private double over(long filled) {
        return (filled - synced()) / (mostFilled / 2.0) - 1;
    }
}
