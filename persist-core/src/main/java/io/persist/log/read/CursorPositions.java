package io.persist.log.read;

import io.persist.cursor.CursorName;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.CursorSlot;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.ScannedSegment;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;

/**
 * Finds where in a log records begin, where a new cursor begins, and whether a stored one is still right. It looks at
 * the files and not at what a tailer may show: a cursor may be behind records that are synced but not known to be.
 */
final class CursorPositions {

    private static final String START_OVER = "remove the cursor, which begins anew at the log's first record";

    private final Storage storage;

    CursorPositions(Storage storage) {
        this.storage = storage;
    }

    /** The first slot of a new cursor: before the oldest record, or where the first one will be. */
    CursorSlot start() throws IOException {
        NavigableSet<Long> bases = LogFiles.list(storage).basePositions();
        long base = bases.isEmpty() ? 0 : bases.first();
        Long logId = bases.isEmpty() ? Long.valueOf(0) : ScannedSegment.logId(storage, base);
        long position = base + SegmentHeader.LENGTH;
        return new CursorSlot(
                1,
                logId == null ? 0 : logId,
                position,
                sequenceAt(position),
                System.currentTimeMillis(),
                ProcessHandle.current().pid());
    }

    /** Whether a record, or a seal, begins at {@code target} in the segment at {@code base}; not if that is gone. */
    boolean startsRecord(long base, long target) {
        int offset = (int) Math.min(target - base, Integer.MAX_VALUE);
        if (offset < SegmentHeader.LENGTH || offset % Frame.ALIGNMENT != 0) {
            return false;
        }
        try (ScannedSegment scanned = ScannedSegment.open(storage, base)) {
            return scanned.damage() == null
                    && offset < scanned.scanner().end()
                    && scanned.scanner().verdict(offset) == FrameVerdict.VALID;
        } catch (FileNotFoundException gone) {
            return false;
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot read the log at position " + target + ": " + e.getMessage(), e);
        }
    }

    /** The number of the record that begins at {@code position}, 1 if there is none: then the log is empty. */
    long sequenceAt(long position) throws IOException {
        Long base = LogFiles.list(storage).basePositions().floor(position);
        if (base == null) {
            return 1;
        }
        try (ScannedSegment segment = ScannedSegment.open(storage, base)) {
            int offset = (int) (position - base);
            boolean isThere = segment.hasPlace(position) && segment.scanner().verdict(offset) == FrameVerdict.VALID;
            return isThere ? Frame.sequence(segment.scanner().segment(), offset) : 1;
        }
    }

    /** The position of the log's first record, or where that will be. */
    long first() throws IOException {
        NavigableSet<Long> bases = LogFiles.list(storage).basePositions();
        return (bases.isEmpty() ? 0 : bases.first()) + SegmentHeader.LENGTH;
    }

    /**
     * The base of the segment in which {@code cursor} goes on.
     *
     * @param name the cursor's, for messages
     * @param hint where a recent record begins, or 0
     * @throws RetiredException if its records are gone
     * @throws CorruptLogException if it belongs to another log, or to a place that this log does not have
     */
    long find(String name, CursorSlot cursor, long hint) throws IOException {
        long position = cursor.position();
        if (position < first()) {
            throw new RetiredException("the records at cursor " + name + " are gone: position=" + position + ", first="
                    + first() + "; " + START_OVER);
        }
        Long base = LogFiles.list(storage).basePositions().floor(position);
        if (base == null) {
            if (cursor.logId() == 0) {
                return position - SegmentHeader.LENGTH; // there was no log when the cursor was made, nor is there now
            }
            throw wrong(name, "belongs to a log of which no segment is left", cursor);
        }
        try (ScannedSegment segment = ScannedSegment.open(storage, base)) {
            CorruptLogException damage = segment.damage();
            if (damage != null) {
                throw damage;
            }
            if (cursor.logId() != 0 && segment.header().logId() != cursor.logId()) {
                throw wrong(name, "belongs to another log", cursor);
            }
            long end = segment.header().endPosition();
            if (position == end + SegmentHeader.LENGTH) {
                checkSealed(name, segment, cursor);
                return end; // where the next segment will be
            }
            checkPlace(name, segment, cursor, hint);
            return base;
        }
    }

    private void checkPlace(String name, ScannedSegment segment, CursorSlot cursor, long hint) throws IOException {
        FrameScanner frames = segment.scanner();
        long offset = cursor.position() - segment.basePosition();
        if (offset < SegmentHeader.LENGTH || offset % Frame.ALIGNMENT != 0 || offset >= frames.end()) {
            throw wrong(name, "is at a place where no record can begin", cursor);
        }
        if (frames.verdict((int) offset) == FrameVerdict.VALID) {
            checkSequence(name, Frame.sequence(frames.segment(), (int) offset), cursor);
        } else if (offset == SegmentHeader.LENGTH) {
            checkSegmentBefore(name, segment.basePosition(), cursor);
        } else {
            checkEnd(name, segment, (int) offset, cursor, hint);
        }
    }

    /** The log ends at the start of a segment: at its very beginning, or right behind a seal. */
    private void checkSegmentBefore(String name, long base, CursorSlot cursor) throws IOException {
        Long before = LogFiles.list(storage).basePositions().lower(base);
        if (before != null) {
            try (ScannedSegment segment = ScannedSegment.open(storage, before)) {
                checkSealed(name, segment, cursor);
            }
        }
    }

    private void checkSealed(String name, ScannedSegment segment, CursorSlot cursor) {
        int seal = segment.damage() == null ? segment.sealOffset() : -1;
        if (seal < 0) {
            throw wrong(name, "is beyond the end of the log", cursor);
        }
        checkSequence(name, Frame.sequence(segment.scanner().segment(), seal), cursor);
    }

    /** No record begins there, so the log has to end there. */
    private void checkEnd(String name, ScannedSegment segment, int end, CursorSlot cursor, long hint) {
        FrameScanner frames = segment.scanner();
        long near = hint - segment.basePosition();
        boolean isNear = near > SegmentHeader.LENGTH
                && near < end
                && near % Frame.ALIGNMENT == 0
                && frames.verdict((int) near) == FrameVerdict.VALID;
        int offset = isNear ? (int) near : SegmentHeader.LENGTH;
        long next = cursor.sequence();
        while (offset < end && frames.verdict(offset) == FrameVerdict.VALID) {
            long here = Frame.sequence(frames.segment(), offset);
            next = Frame.type(frames.segment(), offset) == Frame.TYPE_SEAL ? here : here + 1;
            offset = frames.next(offset);
        }
        if (offset != end) {
            String how = offset < end ? "is beyond the end of the log at " : "is inside the record that ends at ";
            throw wrong(name, how + (segment.basePosition() + offset), cursor);
        }
        checkSequence(name, next, cursor);
    }

    private static void checkSequence(String name, long found, CursorSlot cursor) {
        if (found != cursor.sequence()) {
            throw wrong(
                    name,
                    "is before record " + cursor.sequence() + ", but the log has record " + found + " there",
                    cursor);
        }
    }

    private static CorruptLogException wrong(String name, String what, CursorSlot cursor) {
        return new CorruptLogException(
                CursorName.file(name),
                cursor.position(),
                "cursor " + name + " " + what,
                "run verify on the log; or " + START_OVER);
    }
}
