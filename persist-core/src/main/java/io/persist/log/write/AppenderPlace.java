package io.persist.log.write;

import io.persist.error.PersistException;
import io.persist.format.Frame;
import io.persist.format.FrameWriter;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.LogEnd;
import io.persist.log.segment.Segment;
import io.persist.log.space.Headroom;
import io.persist.log.sync.LogPositions;

/**
 * The part of the {@link Appender} that says where the log goes on and with which number: in which buffer, at which
 * index, and up to where frames need no look at anything else. In fields of the appender itself, as {@link
 * AppenderOwner}.
 *
 * <p><b>Threads:</b> the one that {@link AppenderGate} lets in.
 */
abstract sealed class AppenderPlace extends AppenderOwner permits Appender {

    final WriteWindow window;
    final FrameWriter frames;
    final Headroom headroom;
    int shift; // the segment's offset of the buffer's first byte
    int index; // where in the buffer the next frame goes
    int limit; // frames that end at or before this index need no space to be made
    int softLimit; // the same, or 0 while nothing may be appended without a look at the rest
    long basePosition;
    private long salt;
    long nextSequence;
    long lastPosition;
    byte nextFlags = Frame.FLAG_STARTS_COMMIT;

    /** So many bytes of the log hold no record, since their segments ended before them. */
    private long leftOut;

    /** Where the frame ends whose append has ended with an exception half way; 0 if {@link #clearAway} is not due. */
    int leftEnd;

    /** The place at {@code end}, which lies in {@code segment}. */
    AppenderPlace(LogPositions positions, Headroom headroom, WriteWindow window, Segment segment, LogEnd end) {
        super(positions);
        this.headroom = headroom;
        this.window = window;
        this.frames = new FrameWriter(window.buffer());
        this.nextSequence = end.lastSequence() + 1;
        this.lastPosition = end.lastPosition();
        moveTo(segment, (int) (end.tail() - segment.basePosition()));
    }

    /** Goes on at {@code offset} of {@code next}. */
    final void moveTo(Segment next, int offset) {
        window.enter(next, offset);
        basePosition = next.basePosition();
        salt = next.header().salt();
        refresh(offset);
    }

    /** Takes over what the window shows now, going on at the segment's {@code offset}. */
    final void refresh(int offset) {
        shift = window.shift();
        frames.moveTo(window.buffer(), salt, basePosition + shift);
        index = offset - shift;
        long granted = headroom.granted() - Frame.SEAL_LENGTH - basePosition - shift;
        long hint = (long) index + LogPositions.HINT_INTERVAL; // there the appender renews it
        limit = (int) Math.min(Math.min(window.limit(), endOfRecords()), Math.min(granted, hint));
    }

    /** The index that no frame of this segment passes but the seal. */
    final int endOfRecords() {
        return window.segment().header().segmentLength() - Frame.SEAL_LENGTH - shift;
    }

    /** Where the next frame goes, unless it needs a new segment. */
    final long position() {
        return basePosition + shift + index;
    }

    /** As {@link io.persist.log.engine.LogWriter#wouldWait} says. */
    public final boolean wouldWait(int length) {
        int aligned = Frame.aligned(Frame.HEADER_LENGTH + length);
        try {
            boolean isThere = isAdmitted() && (length | aligned) >= 0 && aligned <= softLimit - index;
            return !isThere && wouldWaitSlowly(length, aligned);
        } catch (InternalError e) {
            throw storeFailed(e);
        }
    }

    /** What an append does that needs more space, in the same order, but for what would take time. */
    private boolean wouldWaitSlowly(int length, int aligned) {
        gate().check();
        clearAway();
        checkNotNegative(length);
        if (aligned >= 0 && aligned <= limit - index) {
            return false;
        }
        try {
            within = Thread.currentThread();
            softLimit = 0;
            requireFits(length, aligned);
            Headroom.Reserve reserve = reserve();
            long end = headroom.end(position(), length);
            flushBeforeWait(end, reserve);
            return headroom.wouldWait(end, reserve);
        } finally {
            within = null;
        }
    }

    abstract AppenderGate gate();

    static void checkNotNegative(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length=" + length + ", min=0");
        }
    }

    /** Throws if no segment has room for a frame of {@code aligned} bytes, below 0 if that is too much to count. */
    final void requireFits(int length, int aligned) {
        if (aligned < 0 || aligned > endOfRecords() - index || headroom.neverHas(aligned)) {
            headroom.requireFits(length);
        }
    }

    /** What waits for space up to {@code end} waits for the device, which has to be given what the buffer holds. */
    final void flushBeforeWait(long end, Headroom.Reserve reserve) {
        if (!headroom.has(end, reserve)) {
            window.flush(shift + index);
            refresh(shift + index);
        }
    }

    /** The reserve is for a commit that has begun: behind the last one there is a record, and not only a roll. */
    final Headroom.Reserve reserve() {
        boolean mayUse = positions.committed() <= lastPosition || headroom.isReserveLeft();
        return mayUse ? Headroom.Reserve.USE : Headroom.Reserve.KEEP;
    }

    /** No record comes into so many bytes at the segment's end. To be called before the position is behind them. */
    final void leaveOut(long bytes) {
        leftOut += bytes;
        headroom.leaveOut(leftOut);
    }

    /** The bytes of the log up to {@code position}, but for what was left out. */
    final long appended(long position) {
        return position - leftOut;
    }

    /** Whether the segment has a frame. */
    final boolean hasFrame() {
        return shift + index > SegmentHeader.LENGTH;
    }

    /** What the header of the frame at {@code index} says of it. */
    final long state(byte type) {
        return Frame.stateWord(Frame.unsynced(position(), positions.synced()), type, nextFlags);
    }

    /** Ends the segment with its seal, for which it always has space. */
    final void seal() {
        window.segment().lastRecord(lastPosition);
        window.makeAddressable(shift + index, Frame.SEAL_LENGTH);
        refresh(shift + index);
        byte[] time = Frame.sealPayload(System.currentTimeMillis());
        frames.put(index, nextSequence, state(Frame.TYPE_SEAL), time, 0, time.length);
        frames.publish(index, Frame.SEAL_LENGTH);
        index += Frame.aligned(Frame.SEAL_LENGTH);
        if (!window.segment().isMapped()) { // else all of it counts as flushed, and the filler may unmap the segment
            positions.published(position()); // before it is flushed: that never is ahead
        }
        window.flush(shift + index);
    }

    /**
     * Clears away what an append has left that has ended with an exception half way, if one has. A frame that was not
     * published is replaced by zeros: the next one may be shorter, and behind it comes the place of a length. If it was
     * published, others have to be told of it yet.
     */
    final void clearAway() {
        if (leftEnd == 0) {
            return;
        }
        try {
            frames.clear(index, leftEnd);
            positions.published(nextSequence - 1, lastPosition, position());
            leftEnd = 0; // last of all: this may end with an exception, too
        } catch (InternalError e) {
            throw storeFailed(e);
        }
    }

    /** A store into the mapped segment has failed: its file, or the device, is gone. */
    final PersistException storeFailed(InternalError cause) {
        return positions.fail("store into the mapped segment", basePosition, cause);
    }
}
