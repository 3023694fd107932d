package io.persist.log.space;

import com.sun.management.OperatingSystemMXBean;
import io.persist.log.LogConfig;
import io.persist.log.sync.LogPositions;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * How far the device is behind the appender, and what follows for the thread that fills. Linux has write-back begin at
 * {@code dirty_background_ratio}, a tenth of the memory by default; from half way between that and {@code dirty_ratio}
 * on it stops each thread that makes pages dirty, for up to 200 ms at a time ({@code balance_dirty_pages}). So a log
 * stays below that, and from half of its own bound on goes little by little over to the speed of the device.
 *
 * <p><b>Threads:</b> the one that fills; {@link #most} any.
 */
public final class DeviceLag {

    private static final int PART_OF_MEMORY = 16;

    /** Where the memory is not known, or small. */
    private static final long LEAST = 512L << 20;

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

    private final LogPositions positions;

    /** What was there before is not waited for: nothing may be known of it, or be synced of it alone. */
    private final long openedAt;

    private final long most;
    private final long mostFilled; // a step more is less than the most

    private long ratePosition;
    private long rateNs;
    private double bytesPerNs;

    /** When the next bytes may be filled. */
    private long nextNs;

    /** Of a log at {@code positions} that has just been opened. */
    public DeviceLag(LogPositions positions, LogConfig config) {
        this.positions = positions;
        this.openedAt = positions.published();
        this.most = most(config);
        this.mostFilled = most - Math.min(config.segmentLength(), FilledSpace.STEP_LENGTH);
        this.ratePosition = openedAt;
        this.rateNs = System.nanoTime();
        this.nextNs = rateNs;
    }

    private static long most(LogConfig config) {
        long segments = 2L * LogConfig.MIN_UNSYNCED_SEGMENTS * config.segmentLength();
        long chosen = config.maxUnsyncedBytes();
        return chosen != 0 ? chosen : Math.max(Math.max(LEAST, segments), memory() / PART_OF_MEMORY);
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
    public long most() {
        return most;
    }

    private long synced() {
        return Math.max(positions.synced(), openedAt);
    }

    /** Up to here may be filled. */
    long bound() {
        return synced() + mostFilled;
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
        long waitNs = filled >= target ? LONGEST_WAIT_NS : nextNs - nowNs;
        return waitNs < SHORTEST_WAIT_NS ? 0 : Math.min(waitNs, LONGEST_WAIT_NS);
    }

    /** How fast the device is can be seen while it has something to do. */
    private void observe(long nowNs) {
        long synced = synced();
        boolean isBusy = positions.published() - synced > most / 4;
        long elapsedNs = nowNs - rateNs;
        if (isBusy && elapsedNs >= RATE_INTERVAL_NS) {
            double now = (double) (synced - ratePosition) / elapsedNs;
            bytesPerNs = bytesPerNs == 0 ? now : (bytesPerNs + now) / 2;
        }
        if (!isBusy || elapsedNs >= RATE_INTERVAL_NS) {
            ratePosition = synced;
            rateNs = nowNs;
        }
    }

    /** {@code length} more bytes were filled from {@code startNs} on, up to {@code position}. */
    void filled(long position, long length, long startNs) {
        double over = (position - synced()) / (mostFilled / 2.0) - 1;
        boolean isBehind = over > 0 && bytesPerNs > 0;
        long costNs = isBehind ? (long) (length / (bytesPerNs * Math.max(MOST_SPEED - over, MOST_SPEED - 1))) : 0;
        nextNs = Math.max(nextNs, startNs - LONGEST_CREDIT_NS) + costNs;
    }
}
