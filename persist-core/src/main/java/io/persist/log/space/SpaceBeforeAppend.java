package io.persist.log.space;

import io.persist.format.Frame;
import io.persist.log.segment.SegmentLayout;
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
 * <p><b>Threads:</b> any, but {@link #has}, which is for the thread that may append; {@link #prepare} and {@link
 * #await} one at a time each.
 */
final class SpaceBeforeAppend implements RecordSpace {

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);

    private final LogPositions positions;
    private final FilledSpace space;
    private final SegmentFiller filler;
    private final SegmentLayout layout;
    private final SpaceWait wait;
    private final SpaceWait.Request request; // of the thread in await
    private final Pacing pacing;

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
    }

    @Override
    public void takePauses() {
        pacing.leave();
    }

    @Override
    public void check(int length) {
        layout.check(length);
    }

    /** Counts the waits that have ended, too. */
    @Override
    public boolean has(int length, int kept) {
        if (!pacing.isOver()) {
            return false;
        }
        if (!uncounted.isEmpty()) {
            countWaits();
        }
        return isFilled((long) length + kept) || filler.neverHas(Frame.aligned(Frame.HEADER_LENGTH + length));
    }

    private void countWaits() {
        for (Waited waited = uncounted.poll(); waited != null; waited = uncounted.poll()) {
            wait.count(waited.ns, waited.isRefused);
        }
    }

    private boolean isFilled(long length) {
        return space.filled() >= end(length) + filler.reserve();
    }

    @Override
    public void await(int length, long sinceNs, BooleanSupplier isWanted) {
        BooleanSupplier goesOn = () -> wait.isLive() && isWanted.getAsBoolean();
        pacing.await(goesOn);
        long startNs = System.nanoTime();
        boolean waited = false;
        IOException refused = null;
        while (refused == null && !isFilled(length) && goesOn.getAsBoolean()) {
            waited = true;
            long end = end(length) + filler.reserve(); // further on if others append meanwhile
            refused = wait.until(request, end, end, goesOn);
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
        return layout.end(positions.published(), length) + Frame.SEAL_LENGTH;
    }
}
