package io.persist.log.space;

import io.persist.format.Frame;
import io.persist.log.segment.SegmentLayout;
import io.persist.log.space.Headroom.Reserve;
import io.persist.log.sync.LogPositions;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for space before a record is appended, as {@link Headroom} would wait then. The thread that appends may have a
 * lock that others want; this one has none.
 *
 * <p>It promises nothing: others may use the space first.
 *
 * <p>On a full disk some of what is filled is kept for what makes space. A full disk is known from the first attempt on
 * that fails, and from there on more is kept than the reserve: to empty a segment takes as much as is needed in it.
 *
 * <p><b>Threads:</b> any, but {@link #has}, which is for the thread that may append; {@link #prepare} and {@link
 * #await} one at a time each.
 */
final class SpaceBeforeAppend implements RecordSpace {

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);

    /** As much as is ahead of any appender for which the space that should be there is. */
    private static final long MOST_KEPT = FillPolicy.LEAST_AHEAD / 2;

    private final LogPositions positions;
    private final FilledSpace space;
    private final SegmentFiller filler;
    private final SegmentLayout layout;
    private final SpaceWait wait;
    private final SpaceWait.Request request; // of the thread in await
    private final Pacing pacing;
    private final long mostKept;

    /** Waits that are not counted yet: the counters are unmapped when the log is closed, maybe beside a wait. */
    private final ConcurrentLinkedQueue<Waited> uncounted = new ConcurrentLinkedQueue<>();

    private record Waited(long ns, boolean isRefused) {}

    /** Looks at {@code space}, which {@code filler} fills, and does {@code wait} if there is none. */
    SpaceBeforeAppend(
            LogPositions positions,
            FilledSpace space,
            SegmentFiller filler,
            SegmentLayout layout,
            SpaceWait wait,
            Pacing pacing) {
        this.positions = positions;
        this.space = space;
        this.filler = filler;
        this.layout = layout;
        this.wait = wait;
        this.request = wait.request();
        this.pacing = pacing;
        this.mostKept = Math.max(filler.reserve(), Math.min(MOST_KEPT, layout.maxPayload()));
    }

    @Override
    public void takePauses() {
        pacing.leave();
    }

    @Override
    public void keepReserve() {
        wait.leaveReserve();
    }

    @Override
    public void check(int length) {
        layout.check(length);
    }

    /** Counts the waits that have ended, too. */
    @Override
    public boolean has(int length, long kept, Reserve use) {
        if (!pacing.isOver()) {
            return false;
        }
        countWaits();
        return fits(positions.published(), length + kept, use)
                || filler.neverHas(Frame.aligned(Frame.HEADER_LENGTH + length));
    }

    @Override
    public void countWaits() {
        while (!uncounted.isEmpty()) {
            Waited waited = uncounted.remove();
            wait.count(waited.ns, waited.isRefused);
        }
    }

    /** Whether a log that ends at {@code end} has space for {@code length} bytes, and behind them for what is kept. */
    private boolean fits(long end, long length, Reserve use) {
        long behind = space.filled() - end(end, length);
        return behind >= mostKept || behind >= kept(use, space.isShort());
    }

    private long kept(Reserve use, boolean isShort) {
        if (!isShort) {
            return filler.reserve();
        }
        return switch (use) {
            case KEEP -> mostKept;
            case HALF -> filler.reserve() / 2;
            case USE -> 0;
        };
    }

    @Override
    public boolean isShort() {
        return space.isShort();
    }

    @Override
    public boolean isShortFor(long end, long bytes, Reserve use) {
        return space.isShort() && !fits(end, bytes, use);
    }

    @Override
    public void await(long length, Reserve use, long sinceNs, BooleanSupplier isWanted) {
        BooleanSupplier goesOn = () -> wait.isLive() && isWanted.getAsBoolean();
        pacing.await(goesOn);
        long startNs = System.nanoTime();
        boolean waited = false;
        IOException refused = null;
        while (refused == null && !fits(positions.published(), length, use) && goesOn.getAsBoolean()) {
            waited = true;
            long end = end(length) + kept(use, space.isShort()); // further on if others append meanwhile
            refused = wait.until(request, end, end, goesOn);
        }
        if (refused != null && space.filled() >= end(length) + kept(use, true)) {
            refused = null;
        }
        if (waited) {
            uncounted.add(new Waited(System.nanoTime() - startNs, refused != null));
        }
        if (refused != null) {
            throw wait.refusal(refused);
        }
    }

    @Override
    public void prepare(int length) {
        prepare(() -> wanted(end(length)));
    }

    @Override
    public void prepareRoll() {
        prepare(() -> wanted(layout.roll(positions.published())));
    }

    private void prepare(LongSupplier wanted) {
        long startNs = System.nanoTime();
        boolean interrupted = false;
        try {
            long end = wanted.getAsLong();
            while (space.filled() < end && wait.isWorthwhile() && System.nanoTime() - startNs < LONGEST_NS) {
                filler.expect(end);
                LockSupport.parkNanos(PAUSE_NS);
                interrupted |= Thread.interrupted();
                end = wanted.getAsLong();
            }
        } finally {
            filler.expect(0);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Behind where the log ends then there has to be so much that nothing is paced. */
    private long wanted(long end) {
        return end + Math.max(filler.plenty(), filler.reserve());
    }

    /** Where the log ends once a record of {@code length} bytes and a seal are behind what there is. */
    private long end(long length) {
        return end(positions.published(), length);
    }

    private long end(long position, long length) {
        return layout.end(position, length) + Frame.SEAL_LENGTH;
    }
}
