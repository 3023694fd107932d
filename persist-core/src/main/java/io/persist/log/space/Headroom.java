package io.persist.log.space;

import io.persist.error.LogFullException;
import io.persist.format.Frame;
import io.persist.log.segment.Segment;
import io.persist.log.segment.SegmentLayout;
import io.persist.log.sync.LogPositions;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * The filled space ahead of the appender, as the appender sees it: what it may use, and the waits for more.
 *
 * <p>When the appender is faster than the space can be filled, because the device is the limit, it is slowed down to
 * the filler's speed before the space has run out. So it has many short waits and not a few long ones.
 *
 * <p>Some of the filled space is the reserve. When no more can be filled, because the disk is full, the reserve is
 * given only to an appender in the middle of a commit, so that what was begun can be finished. A store's commits have
 * one record each: there {@link SpaceBeforeAppend} keeps it for what makes space.
 *
 * <p><b>Threads:</b> the one that appends.
 */
public final class Headroom {

    /** Granted at once while there is plenty: as far as the appender goes before it comes back to renew the hint. */
    private static final long LONG_GRANT = LogPositions.HINT_INTERVAL;

    /** The same while there is not. */
    private static final long SHORT_GRANT = 128 << 10;

    /** How much of the reserve may be used. */
    public enum Reserve {
        KEEP,
        /** For what lets space become free by and by, as removals do. */
        HALF,
        USE
    }

    private final FilledSpace space;
    private final SegmentFiller filler;
    private final SegmentLayout layout;
    private final SpaceWait wait;
    private final SpaceWait.Request request;
    private final long reserve;

    /** The thread that closes waits for the one that appends. */
    private final BooleanSupplier notClosing;

    private final Pacing pacing;
    private final DeviceLag lag;
    private final FillPolicy policy;
    private long granted;

    /** When {@link #wouldWait} has hurried the filler last, and up to where it was to fill then. */
    private long hurriedNs = System.nanoTime();

    private long hurriedEnd;

    /** Looks at {@code space}, wakes {@code filler} where more is needed, and does {@code wait} if there is none. */
    Headroom(
            LogPositions positions,
            FilledSpace space,
            SegmentFiller filler,
            SegmentLayout layout,
            SpaceWait wait,
            Pacing pacing,
            DeviceLag lag,
            FillPolicy policy) {
        this.space = space;
        this.filler = filler;
        this.layout = layout;
        this.wait = wait;
        this.request = wait.request();
        this.reserve = filler.reserve();
        this.notClosing = () -> {
            positions.checkNotClosing();
            return true;
        };
        this.pacing = pacing;
        this.lag = lag;
        this.policy = policy;
        this.granted = positions.published();
    }

    /** Throws if a new segment, which may be shorter than the one before, has no space for so long a record. */
    public void requireFits(int length) {
        if (length > layout.maxPayload()) {
            throw SegmentLayout.tooLong(length, layout.maxPayload());
        }
    }

    /** Whether the reserve is kept by {@link SpaceBeforeAppend}: here any record may use it. */
    public boolean isReserveLeft() {
        return wait.isReserveLeft();
    }

    /**
     * Whether a frame of {@code length} bytes would wait for ever where it has space, in a long segment of an earlier
     * life: more would have to be ahead of what is on the device than may.
     */
    public boolean neverHas(int length) {
        return filler.neverHas(length);
    }

    /** Up to this position the appender may go without asking. */
    public long granted() {
        return granted;
    }

    /**
     * Returns once everything before {@code end} is filled. Waits for the filler if it is behind, which is counted and
     * recorded, also if there is no space in the end.
     *
     * @throws LogFullException if there is no space for it
     */
    public void require(long end, Reserve use) {
        if (!has(end, use)) {
            stall(end, use);
        }
        boolean isPlenty = isPlenty(end);
        if (isPlenty) {
            pacing.skip(end);
            filler.wakeIfDozing();
        } else {
            filler.wake();
            pacing.pace(end, filler.nsPerMiB());
        }
        long grant = isPlenty ? LONG_GRANT : SHORT_GRANT;
        granted = Math.max(end, Math.min(space.filled() - reserve, end + grant));
    }

    private boolean isPlenty(long end) {
        return space.filled() - end >= filler.plenty();
    }

    /**
     * Whether {@link #require} would wait for {@code end} now. Then more is under way when this returns, so that it is
     * false in time; and as long as it is, {@code require} of that end, or of others on the way there, does not wait.
     *
     * @throws LogFullException if an attempt to make space has failed since this said for the first time that there is
     *     none, as {@code require} would say at its end
     */
    public boolean wouldWait(long end, Reserve use) {
        if (has(end, use)) {
            request.granted();
            if (isPlenty(end)) {
                pacing.skip(end);
                return false;
            }
            hurry(end);
            return pacing.advance(end, filler.nsPerMiB());
        }
        request.begin();
        IOException refused = request.refusal();
        if (refused != null) {
            request.givenUp();
            wait.count(0, true);
            throw wait.refusal(refused);
        }
        hurry(end + reserve);
        return true;
    }

    /** Has the filler fill up to {@code end}. A thread that asks all the time does not wake it each time. */
    private void hurry(long end) {
        long now = System.nanoTime();
        if (end > hurriedEnd || now - hurriedNs >= SpaceWait.PAUSE_NS) {
            hurriedEnd = end;
            hurriedNs = now;
            filler.want(end);
            filler.wake();
        }
    }

    /** Up to where there has to be space for a record of {@code length} bytes that is appended at {@code position}. */
    public long end(long position, int length) {
        return layout.end(position, length) + Frame.SEAL_LENGTH;
    }

    /** Whether everything before {@code end} is filled already. */
    public boolean has(long end, Reserve use) {
        return space.filled() - (use == Reserve.KEEP ? reserve : 0) >= end;
    }

    /**
     * The segment after the current one, which ends at {@code base}, as {@link #require} has it. What is left of the
     * current one behind {@code position} gets no record, and need not wait for the device. Then comes {@link #take}.
     */
    public Segment next(long position, long base, Reserve use) {
        lag.leave(base - position);
        try {
            require(base + 1, use);
        } finally {
            lag.leave(0);
        }
        Segment next = space.next();
        if (next == null) {
            throw new AssertionError("space is filled in no segment, position=" + base);
        }
        return next;
    }

    /** The appender goes on in the next segment, and has said whose it is now: here it is no more to be closed. */
    public void take() {
        space.take();
    }

    /** So many bytes of the log, in all, hold no record. To be called before the end of the log is behind them. */
    public void leaveOut(long bytes) {
        policy.leaveOut(bytes);
    }

    /** The appender has gone on in the next segment: the one before is to be synced in time, also in a slow log. */
    public void rolled() {
        filler.wake();
    }

    private void stall(long end, Reserve use) {
        long startNs = System.nanoTime();
        IOException refused = wait.until(request, end + (use == Reserve.KEEP ? reserve : 0), end + reserve, notClosing);
        wait.count(System.nanoTime() - startNs, refused != null); // not once it is closed: the wait has thrown then
        if (refused != null) {
            throw wait.refusal(refused);
        }
    }
}
