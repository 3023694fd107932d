package io.persist.log.write;

import io.persist.event.SegmentRollEvent;
import io.persist.format.Frame;
import io.persist.format.FrameWriter;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.CounterBlock;
import io.persist.log.Claim;
import io.persist.log.segment.LogEnd;
import io.persist.log.segment.Segment;
import io.persist.log.space.Headroom;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.Syncer;
import java.nio.ByteBuffer;

/**
 * Writes the log. The path of a record: find its place, copy it there, checksum, publish. Everything rare is behind one
 * comparison of the place with {@code softLimit}.
 *
 * <p><b>Threads:</b> the one that {@link AppenderGate} lets in. <b>Allocation:</b> none but when a segment is rolled.
 */
public final class Appender extends Admitted {

    private final Syncer syncer;
    private final Headroom headroom;
    private final ControlBlock control;
    private final AppenderCounters counters;
    private final WriteWindow window;
    private final AppenderClaim claim = new AppenderClaim(this);
    private final AppenderGate gate;
    private final FrameWriter frames;
    private int shift;
    private int index;
    private int limit; // frames that end at or before this index need no room to be made
    private int softLimit; // the same, or 0 while nothing may be appended without a look at the rest: then think
    private long basePosition;
    private long salt;
    private long nextSequence;
    private long lastPosition;
    private byte nextFlags = Frame.FLAG_STARTS_COMMIT;
    private long committed;

    /** An appender that goes on at {@code end}, which lies in {@code segment}. */
    public Appender(
            LogPositions positions,
            Syncer syncer,
            Headroom headroom,
            ControlBlock control,
            CounterBlock counters,
            WriteWindow window,
            Segment segment,
            LogEnd end) {
        super(positions);
        this.syncer = syncer;
        this.headroom = headroom;
        this.control = control;
        this.counters = new AppenderCounters(counters, positions, end.lastSequence() + 1);
        this.window = window;
        this.gate = new AppenderGate(positions, claim, this);
        this.nextSequence = end.lastSequence() + 1;
        this.lastPosition = end.lastPosition();
        this.committed = end.tail();
        int offset = (int) (end.tail() - segment.basePosition());
        window.enter(segment, offset);
        this.basePosition = segment.basePosition();
        this.salt = segment.header().salt();
        this.frames = new FrameWriter(window.buffer(), salt, basePosition + window.shift());
        look(offset);
    }

    /** Checks each call's thread, and that no claim is open. */
    public AppenderGate gate() {
        return gate;
    }

    /** Appends a record, as {@link #append(ByteBuffer)} does. */
    public long append(byte[] source, int offset, int length) {
        try {
            int at = place(length);
            frames.put(at, nextSequence, state(Frame.TYPE_RECORD), source, offset, length);
            return publish(at, length);
        } catch (InternalError e) {
            throw positions.storeFailed(basePosition, e);
        }
    }

    /** Appends a record; returns the position after it. */
    public long append(ByteBuffer source) {
        int length = source.remaining();
        try {
            int at = place(length);
            frames.put(at, nextSequence, state(Frame.TYPE_RECORD), source, source.position(), length);
            return publish(at, length);
        } catch (InternalError e) {
            throw positions.storeFailed(basePosition, e);
        }
    }

    /** Space for a record of {@code length} bytes. */
    public Claim claim(int length) {
        try {
            place(length);
            softLimit = 0;
            return claim.of(length);
        } catch (InternalError e) {
            throw positions.storeFailed(basePosition, e);
        }
    }

    long publishClaim() {
        gate.checkClaimed();
        ByteBuffer record = claim.bytes();
        try {
            frames.put(index, nextSequence, state(Frame.TYPE_RECORD), record, 0, record.limit());
            return publish(index, record.limit());
        } catch (InternalError e) {
            throw positions.storeFailed(basePosition, e);
        } finally {
            claim.finish();
        }
    }

    /** The index of a new frame for {@code length} bytes. */
    private int place(int length) {
        int aligned = Frame.aligned(Frame.HEADER_LENGTH + length);
        if (!isAdmitted() || (length | aligned) < 0 || aligned > softLimit - index) {
            think(length, aligned);
        }
        return index;
    }

    /** What {@link #place} leaves out most of the time. */
    private void think(int length, int aligned) {
        gate.check();
        if (length < 0) {
            throw new IllegalArgumentException("length=" + length + ", min=0");
        }
        if (aligned < 0 || aligned > limit - index) {
            makeRoom(length, aligned);
        }
        softLimit = limit;
    }

    /** What the header of the frame at {@code index} says of it. */
    private long state(byte type) {
        long position = basePosition + shift + index;
        return Frame.stateWord(Frame.unsynced(position, positions.synced()), type, nextFlags);
    }

    private long publish(int at, int length) {
        long position = basePosition + shift + at;
        frames.publish(at, Frame.HEADER_LENGTH + length);
        index = at + Frame.aligned(Frame.HEADER_LENGTH + length);
        counters.appended(length);
        nextFlags = 0;
        lastPosition = position;
        long end = basePosition + shift + index;
        positions.published(nextSequence++, position, end);
        return end;
    }

    /** Renews the hint, flushes the write buffer and rolls to the next segment, as is due. */
    private void makeRoom(int length, int aligned) {
        try {
            gate.within = Thread.currentThread();
            softLimit = 0;
            counters.write(nextSequence);
            Headroom.Reserve reserve = committed < position() ? Headroom.Reserve.USE : Headroom.Reserve.KEEP;
            int room = window.segment().header().segmentLength() - Frame.SEAL_LENGTH - shift - index;
            if (aligned < 0 || aligned > room || headroom.neverHas(aligned)) {
                headroom.requireFits(length);
            }
            if (aligned > room) {
                roll(reserve);
            }
            long end = position() + aligned + Frame.SEAL_LENGTH;
            flushBeforeWait(end, reserve);
            headroom.require(end, reserve);
            window.makeRoom(shift + index, aligned);
            look(shift + index);
            if (lastPosition < positions.flushed()) {
                control.hint(lastPosition);
            }
            limit = Math.max(limit, index + aligned);
        } finally {
            gate.within = null;
        }
    }

    /** Takes over what the window shows now, going on at the segment's {@code offset}. */
    private void look(int offset) {
        shift = window.shift();
        frames.moveTo(window.buffer(), salt, basePosition + shift);
        index = offset - shift;
        int room = window.segment().header().segmentLength() - Frame.SEAL_LENGTH - shift;
        long granted = headroom.granted() - Frame.SEAL_LENGTH - basePosition - shift;
        long hint = (long) index + LogPositions.HINT_INTERVAL;
        limit = (int) Math.min(Math.min(window.limit(), room), Math.min(granted, hint));
    }

    /** What waits for space up to {@code end} waits for the device, which has to be given what the buffer holds. */
    private void flushBeforeWait(long end, Headroom.Reserve reserve) {
        if (!headroom.has(end, reserve)) {
            window.flush(shift + index);
            look(shift + index);
        }
    }

    private void roll(Headroom.Reserve reserve) {
        SegmentRollEvent event = SegmentRollEvent.begin();
        long sealed = basePosition;
        headroom.require(position() + Frame.SEAL_LENGTH, Headroom.Reserve.USE);
        flushBeforeWait(window.segment().endPosition() + 1, reserve);
        Segment next = headroom.next(window.segment().endPosition(), reserve);
        try {
            enter(next);
        } catch (RuntimeException | Error e) {
            gate.isTorn = true; // first of all: the segment would be left out the next time
            throw positions.fail("roll to segment", next.basePosition(), e);
        }
        counters.rolled(nextSequence);
        SegmentRollEvent.end(event, positions.directory(), sealed, basePosition);
    }

    private void enter(Segment next) {
        syncer.add(next); // first of all: from now on it is closed with the others, whatever fails
        seal();
        syncer.roll(next);
        window.enter(next, SegmentHeader.LENGTH);
        basePosition = next.basePosition();
        salt = next.header().salt();
        look(SegmentHeader.LENGTH);
        positions.published(position());
        if (!next.isMapped()) {
            positions.flushed(position());
        }
        control.hint(lastPosition);
    }

    /** Ends the segment with its seal, for which it always has room. */
    private void seal() {
        window.makeRoom(shift + index, Frame.SEAL_LENGTH);
        look(shift + index);
        byte[] time = Frame.sealPayload(System.currentTimeMillis());
        frames.put(index, nextSequence, state(Frame.TYPE_SEAL), time, 0, time.length);
        frames.publish(index, Frame.SEAL_LENGTH);
        index += Frame.aligned(Frame.SEAL_LENGTH);
        window.flush(shift + index);
    }

    /** Ends a commit, which readers see as a boundary. */
    public long endCommit() {
        gate.check();
        long end = position();
        if (end != committed) {
            committed = end;
            counters.committed();
            nextFlags = Frame.FLAG_STARTS_COMMIT;
            positions.committed(end);
        }
        counters.write(nextSequence);
        return end;
    }

    /** Flushes, and wakes the threads that wait for it. */
    public void flush() {
        gate.check();
        try {
            gate.within = Thread.currentThread();
            softLimit = 0;
            counters.write(nextSequence);
            window.flush(shift + index);
            look(shift + index);
            positions.waiters().signal();
        } finally {
            gate.within = null;
        }
    }

    /** Makes everything appended SYNCED. */
    public void sync() {
        gate.check();
        syncWithin();
    }

    private void syncWithin() {
        try {
            gate.within = Thread.currentThread();
            softLimit = 0;
            counters.write(nextSequence);
            syncer.checkSynced(position());
            window.sync(shift + index);
            look(shift + index);
        } finally {
            gate.within = null;
        }
    }

    /** As the syncer does it; here, since {@code CallingThread} does not look for that class on the stack. */
    void checkSynced(long position) {
        gate.check();
        syncer.checkSynced(position);
    }

    /** Where the next frame goes, unless it needs a new segment. */
    long position() {
        return basePosition + shift + index;
    }

    /** Syncs all records, after the gate was closed. */
    public void close() {
        claim.finish();
        counters.write(nextSequence); // a failed log refuses the sync, which would do it
        positions.check();
        positions.checkHeld();
        syncWithin();
        syncer.checkPlace();
    }
}
