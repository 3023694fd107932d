package io.persist.log.space;

import io.persist.event.FillerStallEvent;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.format.control.CounterBlock;
import io.persist.log.segment.Segment;
import io.persist.log.sync.LogPositions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for space before a record is appended, as {@link Headroom} would wait then. The thread that appends may have a
 * lock that others want; this one has none.
 *
 * <p>It promises nothing: others may use the space first, and a full disk is said when the record is appended.
 *
 * <p><b>Threads:</b> any, but {@link #has}, which is for the thread that may append; {@link #prepare} and {@link
 * #await} one at a time each.
 */
public final class RoomAhead implements Room {

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long WAIT_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);

    private final LogPositions positions;
    private final FilledSpace space;
    private final SegmentFiller filler;
    private final SegmentSupply supply;
    private final CounterBlock counters;

    /** Waits that are not counted yet: the counters are unmapped when the log is closed, maybe beside a wait. */
    private final AtomicLong uncountedNs = new AtomicLong();

    /** Looks at {@code space}, which {@code filler} fills, in segments that {@code supply} makes. */
    public RoomAhead(
            LogPositions positions,
            FilledSpace space,
            SegmentFiller filler,
            SegmentSupply supply,
            CounterBlock counters) {
        this.positions = positions;
        this.space = space;
        this.filler = filler;
        this.supply = supply;
        this.counters = counters;
    }

    /** Counts the waits that have ended, too. */
    @Override
    public boolean has(int length, int kept) {
        if (uncountedNs.getPlain() != 0) {
            Headroom.countStall(counters, uncountedNs.getAndSet(0));
        }
        return isFilled((long) length + kept) || filler.neverHas(Frame.aligned(Frame.HEADER_LENGTH + length));
    }

    private boolean isFilled(long length) {
        return space.filled() >= end(length) + filler.reserve();
    }

    @Override
    public boolean await(int length, BooleanSupplier isWanted) {
        FillerStallEvent event = FillerStallEvent.begin();
        long startNs = System.nanoTime();
        boolean interrupted = false;
        boolean lacked = false;
        boolean isThere = isFilled(length);
        try {
            while (!isThere && isWorthwhile() && isWanted.getAsBoolean()) {
                lacked |= space.lacksSegment();
                filler.hurry(end(length) + filler.reserve());
                LockSupport.parkNanos(WAIT_PAUSE_NS);
                interrupted |= Thread.interrupted();
                isThere = isFilled(length);
            }
        } finally {
            filler.calm();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (isThere && lacked) {
            filler.keepMore();
        }
        uncountedNs.addAndGet(System.nanoTime() - startNs);
        FillerStallEvent.end(event, positions.directory(), end(length), FillerStallEvent.Cause.SPACE);
        return isThere;
    }

    /**
     * Returns once a record of {@code length} bytes can be appended at once, or if that cannot be brought about. An
     * interrupt is kept for later.
     */
    public void prepare(int length) {
        long startNs = System.nanoTime();
        boolean interrupted = false;
        try {
            while (!isThere(length) && isWorthwhile() && System.nanoTime() - startNs < LONGEST_NS) {
                filler.expect(wanted(length));
                LockSupport.parkNanos(PAUSE_NS);
                interrupted |= Thread.interrupted();
            }
        } finally {
            filler.expect(0);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isThere(int length) {
        return space.filled() >= wanted(length);
    }

    private boolean isWorthwhile() {
        return !filler.isClosed() && !positions.hasFailed() && filler.failure() == null && supply.failure() == null;
    }

    /** Behind the record there has to be so much that nothing is paced. */
    private long wanted(int length) {
        return end(length) + Math.max(filler.plenty(), filler.reserve());
    }

    /** Where the log ends once a record of {@code length} bytes and a seal are behind what there is. */
    private long end(long length) {
        Segment current = space.current();
        long position = positions.published();
        long aligned = Frame.aligned(Frame.HEADER_LENGTH + length) + Frame.SEAL_LENGTH;
        boolean fits = position + aligned <= current.endPosition();
        return fits ? position + aligned : current.endPosition() + SegmentHeader.LENGTH + aligned;
    }
}
