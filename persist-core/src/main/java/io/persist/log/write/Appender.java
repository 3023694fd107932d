package io.persist.log.write;

import io.persist.event.SegmentRollEvent;
import io.persist.format.Frame;
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
public final class Appender extends AppenderPlace {

    private final Syncer syncer;
    private final ControlBlock control;
    private final AppenderCounters counters;
    private final AppenderClaim claim = new AppenderClaim(this);
    private final AppenderGate gate;

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
        super(positions, headroom, window, segment, end);
        this.syncer = syncer;
        this.control = control;
        this.counters = new AppenderCounters(counters, positions, end.lastSequence() + 1);
        this.gate = new AppenderGate(claim, this);
    }

    /** Checks each call's thread, and that no claim is open. */
    @Override
    public AppenderGate gate() {
        return gate;
    }

    /** Appends a record, as {@link #append(ByteBuffer)} does. */
    public long append(byte[] source, int offset, int length) {
        try {
            return put(place(length), source, offset, length);
        } catch (InternalError e) {
            throw storeFailed(e);
        }
    }

    /** Appends a record; returns the position after it. */
    public long append(ByteBuffer source) {
        int length = source.remaining();
        try {
            return put(place(length), source, source.position(), length);
        } catch (InternalError e) {
            throw storeFailed(e);
        }
    }

    /** Space for a record of {@code length} bytes. */
    public Claim claim(int length) {
        try {
            place(length);
            softLimit = 0;
            return claim.of(length);
        } catch (InternalError e) {
            throw storeFailed(e);
        }
    }

    long publishClaim() {
        gate.checkClaimed();
        if (leftEnd != 0) { // it has ended half way before, and so has the end of the claim
            claim.end();
            gate.checkClaimed();
        }
        try {
            ByteBuffer record = claim.whole();
            return put(index, record, 0, record.limit());
        } catch (InternalError e) {
            throw storeFailed(e);
        } finally {
            claim.end();
        }
    }

    /**
     * Stores and publishes a record. This may end half way: there is no stack left, or another thread has closed the
     * source's memory. What is there of the frame by then is cleared away by the next call, which has a stack.
     */
    private long put(int at, byte[] source, int offset, int length) {
        try {
            frames.put(at, nextSequence, state(Frame.TYPE_RECORD), source, offset, length);
            return publish(at, length);
        } catch (RuntimeException | Error e) {
            softLimit = 0; // plain stores only
            leftEnd = at + Frame.HEADER_LENGTH + length;
            throw e;
        }
    }

    /** The same of a buffer's bytes. */
    private long put(int at, ByteBuffer source, int offset, int length) {
        try {
            frames.put(at, nextSequence, state(Frame.TYPE_RECORD), source, offset, length);
            return publish(at, length);
        } catch (RuntimeException | Error e) {
            softLimit = 0;
            leftEnd = at + Frame.HEADER_LENGTH + length;
            throw e;
        }
    }

    /** The index of a new frame for {@code length} bytes. */
    private int place(int length) {
        int aligned = Frame.aligned(Frame.HEADER_LENGTH + length);
        if (!isAdmitted() || (length | aligned) < 0 || aligned > softLimit - index) {
            placeSlowly(length, aligned);
        }
        return index;
    }

    /** What {@link #place} leaves out most of the time: the checks that say why not, and more space. */
    private void placeSlowly(int length, int aligned) {
        check();
        checkNotNegative(length);
        if (aligned < 0 || aligned > limit - index) {
            makeSpace(length, aligned);
        }
        softLimit = limit;
    }

    /** As the gate does. Then nothing is left of an append that has ended half way. */
    private void check() {
        try {
            gate.check();
        } catch (InternalError e) {
            throw storeFailed(e);
        }
        clearAway();
    }

    /** With the length the record is there: before anything can fail again, the next one has another place. */
    private long publish(int at, int length) {
        long sequence = nextSequence;
        long position = basePosition + shift + at;
        int next = at + Frame.aligned(Frame.HEADER_LENGTH + length);
        frames.publish(at, Frame.HEADER_LENGTH + length);
        index = next;
        nextSequence = sequence + 1;
        nextFlags = 0;
        lastPosition = position;
        long end = basePosition + shift + next;
        counters.appended(length);
        positions.published(sequence, position, end);
        return end;
    }

    /** Renews the hint, flushes the write buffer and rolls to the next segment, as is due. */
    private void makeSpace(int length, int aligned) {
        try {
            within = Thread.currentThread();
            softLimit = 0;
            counters.write(nextSequence);
            Headroom.Reserve reserve = reserve();
            requireFits(length, aligned);
            if (aligned > endOfRecords() - index) {
                roll(reserve);
            }
            long end = position() + aligned + Frame.SEAL_LENGTH;
            flushBeforeWait(end, reserve);
            headroom.require(end, reserve);
            window.makeAddressable(shift + index, aligned);
            refresh(shift + index);
            if (lastPosition < positions.flushed()) {
                control.hint(lastPosition);
            }
            limit = Math.max(limit, index + aligned);
        } finally {
            within = null;
        }
    }

    /** Ends the segment, unless it has no record yet, and goes on in the next one; returns where the next record is. */
    public long roll() {
        check();
        if (!hasFrame()) {
            return position();
        }
        try {
            within = Thread.currentThread();
            softLimit = 0;
            counters.write(nextSequence);
            roll(reserve());
        } catch (InternalError e) {
            throw storeFailed(e);
        } finally {
            within = null;
        }
        return position();
    }

    private void roll(Headroom.Reserve reserve) {
        SegmentRollEvent event = SegmentRollEvent.begin();
        long sealed = basePosition;
        headroom.require(position() + Frame.SEAL_LENGTH, Headroom.Reserve.USE);
        flushBeforeWait(window.segment().endPosition() + 1, reserve);
        Segment next = headroom.next(position(), window.segment().endPosition(), reserve);
        try {
            enter(next);
        } catch (RuntimeException | Error e) {
            gate.isHalfDone = true; // first of all: the segment may have ended, or be left out the next time
            throw positions.fail("roll to segment", next.basePosition(), e);
        }
        headroom.rolled();
        counters.rolled(nextSequence);
        SegmentRollEvent.end(event, positions.directory(), sealed, basePosition);
    }

    private void enter(Segment next) {
        syncer.add(next); // first of all: from now on it is closed with the others, whatever fails
        headroom.take();
        seal();
        syncer.checkRoll(next);
        leaveOut(next.basePosition() - position());
        moveTo(next, SegmentHeader.LENGTH);
        positions.published(position());
        if (!next.isMapped()) {
            positions.flushed(position());
        }
        control.hint(lastPosition);
    }

    /** Ends a commit, which readers see as a boundary. */
    public long endCommit() {
        try {
            check();
            long end = position();
            if (end != positions.committed()) {
                counters.committed(nextSequence);
                nextFlags = Frame.FLAG_STARTS_COMMIT;
                positions.committed(end);
            }
            counters.write(nextSequence);
            return end;
        } catch (InternalError e) {
            throw storeFailed(e);
        }
    }

    /** Flushes, and wakes the threads that wait for it. */
    public void flush() {
        check();
        try {
            within = Thread.currentThread();
            softLimit = 0;
            counters.write(nextSequence);
            window.flush(shift + index);
            refresh(shift + index);
            positions.waiters().signal();
        } catch (InternalError e) {
            throw storeFailed(e);
        } finally {
            within = null;
        }
    }

    /** Makes everything appended SYNCED. */
    public void sync() {
        check();
        syncWithin();
    }

    private void syncWithin() {
        try {
            within = Thread.currentThread();
            softLimit = 0;
            counters.write(nextSequence);
            syncer.checkSynced(position());
            window.sync(shift + index);
            refresh(shift + index);
        } catch (InternalError e) {
            throw storeFailed(e);
        } finally {
            within = null;
        }
    }

    /** As the syncer does it; here, since {@code CallingThread} does not look for that class on the stack. */
    void checkSynced(long position) {
        check();
        syncer.checkSynced(position);
    }

    /** Syncs all records, after the gate was closed. */
    public void close() {
        claim.end();
        counters.write(nextSequence); // a failed log refuses the sync, which would do it
        positions.check();
        positions.checkHeld();
        clearAway();
        syncWithin();
        syncer.checkPlace();
    }
}
