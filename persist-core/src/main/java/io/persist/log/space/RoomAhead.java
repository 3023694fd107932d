package io.persist.log.space;

import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.Segment;
import io.persist.log.sync.LogPositions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Has space made for a long record before it is appended: as much as {@link Headroom} would wait for then. The thread
 * that appends may have a lock that others want; this one has none.
 *
 * <p>It promises nothing: others may use the space first, and a full disk is said when the record is appended.
 *
 * <p><b>Threads:</b> any, one at a time.
 */
public final class RoomAhead {

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);

    private final LogPositions positions;
    private final FilledSpace space;
    private final SegmentFiller filler;
    private final SegmentSupply supply;

    /** Looks at {@code space}, which {@code filler} fills, in segments that {@code supply} makes. */
    public RoomAhead(LogPositions positions, FilledSpace space, SegmentFiller filler, SegmentSupply supply) {
        this.positions = positions;
        this.space = space;
        this.filler = filler;
        this.supply = supply;
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
        Segment current = space.current();
        long position = positions.published();
        long aligned = (long) Frame.aligned(Frame.HEADER_LENGTH + length) + Frame.SEAL_LENGTH;
        boolean fits = position + aligned <= current.endPosition();
        long end = fits ? position + aligned : current.endPosition() + SegmentHeader.LENGTH + aligned;
        return end + Math.max(filler.plenty(), filler.reserve());
    }
}
