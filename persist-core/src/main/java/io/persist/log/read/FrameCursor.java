package io.persist.log.read;

import io.persist.error.CorruptLogException;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.TailerConfig;
import io.persist.log.read.visible.EndOrDamage;
import io.persist.log.read.visible.FileWatch;
import io.persist.log.read.visible.Visibility;
import io.persist.log.read.window.ReadMemory;
import io.persist.log.read.window.RecordRun;
import io.persist.log.read.window.SegmentReader;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import io.persist.memory.LentBytes;
import io.persist.memory.MissingPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Steps from frame to frame, over the ends of segments, and checks each one before it shows it.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none per record, some per segment.
 */
final class FrameCursor implements AutoCloseable {

    private final Storage storage;
    private final ReadMemory memory;
    private final RecordRun run;
    private final Visibility visibility;
    private final EndOrDamage end;
    private final FileWatch fileWatch;
    private final TailerOpener.Expected expected;
    private final LentBytes payload = new LentBytes();

    private @Nullable SegmentReader segment;
    private @Nullable Long logId;
    private long segmentBase;
    private long nextPosition;
    private long expectedSequence;
    private long position;
    private long sequence;
    private byte flags;
    private boolean onRecord;
    private boolean refusesGaps;

    /**
     * Up to where records may be looked at without asking {@code visibility} again: what readers may see only grows
     * while there is something to read. 0 in a new segment, and once nothing was found: then that may have changed.
     */
    private long limit;

    /** The base of the segment that is being read; retention leaves it and what follows alone. */
    private volatile long neededPosition;

    FrameCursor(Storage storage, TailerConfig config, Visibility visibility, TailerOpener.Expected expected) {
        this.storage = storage;
        this.memory = new ReadMemory(config);
        this.run = memory.run();
        this.visibility = visibility;
        this.end = new EndOrDamage(visibility);
        this.fileWatch = new FileWatch(storage, visibility.control());
        this.expected = expected;
        this.logId = expected.logId() == 0 ? null : Long.valueOf(expected.logId());
    }

    /** From now on it throws before a segment whose records were taken away, in place of going on behind that. */
    void refuseGaps() {
        refusesGaps = true;
    }

    /**
     * Goes to the frame at {@code offset} of the segment at {@code base}.
     *
     * @param sequenceThere the sequence number that it must have, or 0 for any
     */
    void moveTo(long base, long offset, long sequenceThere) {
        if (segment == null || base != segmentBase) {
            close();
        }
        goTo(base, offset, sequenceThere);
    }

    private void goTo(long base, long offset, long sequenceThere) {
        segmentBase = base;
        neededPosition = base;
        nextPosition = base + offset;
        expectedSequence = sequenceThere;
        limit = 0;
        leaveRecord();
    }

    /** There is no current record any more: what was lent of it is taken back. */
    void leaveRecord() {
        onRecord = false;
        payload.takeBack();
    }

    /** Moves to the next record; false if none has been published yet: then it is on none. */
    boolean next() throws IOException {
        onRecord = false;
        return takeVerified() || look();
    }

    /** Takes the next record if it was verified with one before it. Short, so that it gets into callers' loops. */
    private boolean takeVerified() {
        long at = nextPosition;
        if (at >= limit || !run.isNext(at, expectedSequence) || visibility.hides(at, limit)) {
            return false;
        }
        sequence = expectedSequence;
        take(run.buffer(), run.index(), run.length(), run.flags());
        run.advance();
        return true;
    }

    private boolean look() throws IOException {
        leaveRecord();
        while (true) {
            SegmentReader reader = segment == null ? openSegment() : segment;
            if (reader == null || nextPosition >= limit && !goesFurther()) {
                return false;
            }
            int offset = (int) (nextPosition - segmentBase);
            boolean isEnd = offset > reader.header().segmentLength() - Frame.HEADER_LENGTH;
            int length = isEnd ? 0 : reader.frameLength(offset); // another program's log may have no seal
            int index = length == 0
                    ? end.nothing(reader, isEnd ? -1 : offset, nextPosition)
                    : verified(reader, offset, length);
            if (index < 0 || visibility.control().isSetAside() || visibility.hides(nextPosition, limit)) {
                limit = 0;
                return false;
            }
            ByteBuffer buffer = reader.buffer();
            if (Frame.type(buffer, index) == Frame.TYPE_RECORD) {
                sequence = Frame.sequence(buffer, index);
                take(buffer, index, Frame.length(buffer, index), Frame.flags(buffer, index));
                return true;
            }
            seal(reader, index);
        }
    }

    /** Whether tailers may look at the next record by now. */
    private boolean goesFurther() throws IOException {
        long found = visibility.limit();
        boolean goesFurther = nextPosition < found;
        if (!goesFurther) {
            visibility.control().idle();
        }
        fileWatch.check(nextPosition);
        limit = found;
        return goesFurther;
    }

    private @Nullable SegmentReader openSegment() throws IOException {
        visibility.control().refresh();
        segment = SegmentReader.open(storage, segmentBase, memory);
        if (segment == null) {
            fileWatch.checkAnew(nextPosition);
            // Before the names, which are given first.
            boolean goesOn = nextPosition < visibility.control().acknowledged();
            NavigableSet<Long> bases = LogFiles.basePositions(storage);
            boolean isMissing = !bases.contains(segmentBase) && (goesOn || bases.higher(segmentBase) != null);
            // At the log's end, where tailers poll, none is: there no header is read.
            if (isMissing && LogIdentity.beginsBehind(storage, bases, logId(), segmentBase)) {
                throw EndOrDamage.retired(nextPosition);
            }
            if (isMissing && (goesOn || !visibility.isUnrecovered() || visibility.isDamage(segmentBase))) {
                throw new CorruptLogException(LogFileName.segment(segmentBase), segmentBase, "the segment is missing");
            }
            return null;
        }
        SegmentHeader header = segment.header();
        if (header.isVacatedAt(nextPosition) || refusesGaps && header.isVacated()) {
            close(); // it has nothing but a seal, and has taken the place of the one in which the position was found
            throw EndOrDamage.retired(nextPosition);
        }
        long id = header.logId();
        if (logId != null && logId != id) {
            String name = segment.name();
            close();
            throw new CorruptLogException(name, segmentBase, "the segment belongs to another log");
        }
        checkOpened(header);
        logId = id;
        return segment;
    }

    /** The segment has to be what is expected, and of the same log as the one before it. */
    private void checkOpened(SegmentHeader header) throws IOException {
        try (Opening opening = new Opening()) {
            opening.add(this, FrameCursor::closeSegment);
            expected.check(header);
            fileWatch.goTo(header, nextPosition);
            opening.done(this);
        }
    }

    /** The index of the frame in the reader's buffer, after every check; -1 if it is still in the making. */
    private int verified(SegmentReader reader, int offset, int length) throws IOException {
        int index = reader.loadWhole(offset, length);
        if (index < 0) {
            index = reader.frameLength(offset) == 0
                    ? end.nothing(reader, offset, nextPosition)
                    : end.notWhole(reader, offset, nextPosition, expectedSequence);
        }
        if (index < 0) {
            return index;
        }
        ByteBuffer buffer = reader.buffer();
        long found = Frame.sequence(buffer, index);
        if (found < 1 || expectedSequence != 0 && !reader.header().goesOn(expectedSequence, found)) {
            throw end.damaged(
                    reader, nextPosition, "sequence number " + found + " in place of " + Math.max(1, expectedSequence));
        }
        Frame.checkType(buffer, index, nextPosition);
        return index;
    }

    private void take(ByteBuffer buffer, int index, int length, byte newFlags) {
        position = nextPosition;
        flags = newFlags;
        payload.lend(buffer, index + Frame.HEADER_LENGTH, index + length);
        onRecord = true;
        nextPosition = position + Frame.aligned(length);
        expectedSequence = sequence + 1;
    }

    private void seal(SegmentReader reader, int index) {
        long sealed = Frame.sequence(reader.buffer(), index);
        MissingPage.check(); // its error would come while the next segment is opened, in the JDK's own code
        long base = reader.header().endPosition();
        closeSegment();
        goTo(base, SegmentHeader.LENGTH, sealed);
    }

    long position() {
        return position;
    }

    long nextPosition() {
        return nextPosition;
    }

    long sequence() {
        return sequence;
    }

    /** The number of the next record, 0 if it is not known because none was read on the way there. */
    long expectedSequence() {
        return expectedSequence;
    }

    /** Reads no other log than this one. */
    void readOnly(long id) {
        logId = id;
    }

    /** The identity of the log, 0 if it is not known and none of it was read. */
    long logId() {
        return logId == null ? 0 : logId;
    }

    boolean startsCommit() {
        return (flags & Frame.FLAG_STARTS_COMMIT) != 0;
    }

    /** Whether there is a current record. */
    boolean isOnRecord() {
        return onRecord;
    }

    /** The current record's bytes, lent until the cursor moves. */
    LentBytes payload() {
        return payload;
    }

    long neededPosition() {
        return neededPosition;
    }

    /** The current record stays: it is memory of this process, and another thread may be reading it. */
    @Override
    public void close() {
        closeSegment();
        fileWatch.forget();
    }

    private void closeSegment() {
        SegmentReader left = segment;
        segment = null; // before: what an error leaves half closed must not be read
        if (left != null) {
            left.close();
        }
    }
}
