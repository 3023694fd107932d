package io.persist.log.read;

import io.persist.cursor.CursorName;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.file.disk.ShellWord;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.CursorSlot;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.read.TailerOpener.Expected;
import io.persist.log.read.visible.Visibility;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;

/**
 * Finds where in a log records begin, where a new cursor begins, and whether a stored one is still right. It looks at
 * the files and not at what a tailer may show: a cursor may be behind records that are synced but not known to be.
 */
final class CursorPositions {

    private final Storage storage;

    CursorPositions(Storage storage) {
        this.storage = storage;
    }

    /**
     * The first slot of a new cursor: before the oldest record, or where the first one will be.
     *
     * @throws CorruptLogException if a segment of another log is there: the log's own may have been in its place; or as
     *     {@link #sequenceAt} says
     * @throws IOException also if that segment cannot be read
     */
    CursorSlot start() throws IOException {
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        SegmentHeader known = LogIdentity.firstHeader(storage, bases);
        long logId = known == null ? 0 : known.logId();
        long first = bases.isEmpty() ? 0 : bases.first();
        long position = first + SegmentHeader.LENGTH;
        Long own = LogIdentity.firstBase(storage, bases, logId);
        if (own != null && own != first) {
            throw ofAnother(first);
        }
        return new CursorSlot(
                1,
                logId,
                position,
                sequenceAt(position),
                System.currentTimeMillis(),
                ProcessHandle.current().pid());
    }

    /**
     * Where a cursor of the log {@code logId} is to be stored.
     *
     * @throws CorruptLogException if a segment of another log is there, as in {@link #start}
     */
    void checkMayBegin(long position, long logId) throws IOException {
        Long base = LogFiles.basePositions(storage).floor(position);
        if (base != null && !LogIdentity.mayBe(storage, base, logId)) {
            throw ofAnother(base);
        }
    }

    private static CorruptLogException ofAnother(long base) {
        return new CorruptLogException(LogFileName.segment(base), base, "the segment belongs to another log");
    }

    /**
     * The number of the record that begins at {@code target} in the segment at {@code base}, or of the one behind it if
     * that is the seal; 0 if nothing begins there, or the segment is gone.
     */
    long numberAt(long base, long target) {
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk frame = segment.frameAt(target);
            return frame == null ? 0 : frame.sequence();
        } catch (FileNotFoundException gone) {
            return 0;
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot read the log at position " + target + ": " + e.getMessage(), e);
        }
    }

    /**
     * The number of the record that begins at {@code position}; 1 if the log has none yet. That is for a reader to say
     * where no whole one is: it may be damage, and nobody else knows the number. A log need not begin with 1 where it
     * has position 0: the one that a salvage writes has the numbers of the old one.
     *
     * @throws CorruptLogException if the header of the segment there is damaged, or the record
     */
    long sequenceAt(long position) throws IOException {
        Long base = LogFiles.basePositions(storage).floor(position);
        if (base == null) {
            return 1;
        }
        if (position < base + SegmentHeader.LENGTH) {
            throw new CorruptLogException(
                    LogFileName.segment(base),
                    base,
                    "it begins in the header of the segment before",
                    LogIdentity.MOVE_IT);
        }
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk frame = segment.intact().frameAt(position);
            if (frame != null) {
                return frame.sequence();
            }
        }
        try (Visibility visibility = new Visibility(storage, ReadScope.PUBLISHED);
                FrameCursor reader =
                        new FrameCursor(storage, TailerConfig.defaults(), visibility, new Expected(storage, null, 0))) {
            reader.moveTo(base, position - base, 0);
            return reader.next() ? reader.sequence() : Math.max(1, reader.expectedSequence());
        }
    }

    /** The position of the log's first record, or where that will be. */
    long first() throws IOException {
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        return (bases.isEmpty() ? 0 : bases.first()) + SegmentHeader.LENGTH;
    }

    /** Whether compaction has taken away the record that was at {@code position}. */
    boolean isVacated(long position) throws IOException {
        Long base = LogFiles.basePositions(storage).floor(position);
        return base != null && LogFiles.header(storage, base).isVacatedAt(position);
    }

    /**
     * The base of the segment in which {@code cursor} goes on.
     *
     * @param name the cursor's, for messages
     * @param hint where a recent record begins, or 0
     * @throws RetiredException if its records are gone
     * @throws CorruptLogException if it belongs to another log, or to a place that this log does not have, or did not
     *     have for a time; also if the segment there is another log's
     */
    long find(String name, CursorSlot cursor, long hint) throws IOException {
        long position = cursor.position();
        if (cursor.isCutOff()) {
            String what = "is beyond a place where a repair or a restore has cut the log";
            throw refused(name, what, cursor, startOver(name)); // verify would find nothing
        }
        if (position < first()) {
            throw new RetiredException("the records at cursor " + name + " are gone: position=" + position + ", first="
                    + first() + "; " + startOver(name));
        }
        Long base = LogFiles.basePositions(storage).floor(position);
        if (base == null) {
            if (cursor.logId() == 0) {
                return position - SegmentHeader.LENGTH; // there was no log when the cursor was made, nor is there now
            }
            throw wrong(name, "belongs to a log of which no segment is left", cursor);
        }
        try (SegmentView segment = SegmentView.open(storage, base)) {
            SegmentHeader header = segment.intact().header();
            checkIsOfLog(name, header, cursor);
            long end = header.endPosition();
            if (position == end + SegmentHeader.LENGTH) {
                checkSealed(name, segment, cursor);
                return end; // where the next segment will be
            }
            if (header.isVacatedAt(position)) {
                throw new RetiredException("the records at cursor " + name + " were taken away by compaction: position="
                        + position + "; " + startOver(name));
            }
            checkPlace(name, segment, cursor, hint);
            return base;
        }
    }

    /** If the cursor is the log's the segment is not, and has got in between: then the cursor is not to be removed. */
    private void checkIsOfLog(String name, SegmentHeader segment, CursorSlot cursor) throws IOException {
        if (cursor.logId() == 0 || segment.logId() == cursor.logId()) {
            return;
        }
        if (LogIdentity.idOf(storage) != cursor.logId()) {
            throw wrong(name, "belongs to another log", cursor);
        }
        throw ofAnother(segment.basePosition());
    }

    private void checkPlace(String name, SegmentView segment, CursorSlot cursor, long hint) throws IOException {
        FrameWalk frame = segment.at(cursor.position());
        if (frame == null) {
            throw wrong(name, "is at a place where no record can begin", cursor);
        }
        if (frame.isWhole()) {
            checkSequence(name, frame.sequence(), cursor);
        } else if (frame.offset() == SegmentHeader.LENGTH) {
            checkSegmentBefore(name, segment.basePosition(), cursor);
        } else {
            checkEnd(name, segment, frame.offset(), cursor, hint);
        }
    }

    /** The log ends at the start of a segment: at its very beginning, or right behind a seal. */
    private void checkSegmentBefore(String name, long base, CursorSlot cursor) throws IOException {
        Long before = LogFiles.basePositions(storage).lower(base);
        if (before != null) {
            try (SegmentView segment = SegmentView.open(storage, before)) {
                if (segment.damage() == null) {
                    checkIsOfLog(name, segment.header(), cursor);
                }
                checkSealed(name, segment, cursor);
            }
        }
    }

    private void checkSealed(String name, SegmentView segment, CursorSlot cursor) {
        FrameWalk seal = segment.damage() == null ? segment.seal() : null;
        if (seal == null) {
            throw wrong(name, "is beyond the end of the log", cursor);
        }
        checkSequence(name, seal.sequence(), cursor);
    }

    /** No record begins there, so the log has to end there. */
    private void checkEnd(String name, SegmentView segment, int end, CursorSlot cursor, long hint) {
        FrameWalk near = segment.frameAt(hint);
        FrameWalk frame = near != null && near.offset() < end ? near : segment.walk(SegmentHeader.LENGTH);
        long next = cursor.sequence();
        for (; frame.offset() < end && frame.isWhole(); frame.advance()) {
            next = frame.nextSequence();
        }
        if (frame.offset() != end) {
            String how =
                    frame.offset() < end ? "is beyond the end of the log at " : "is inside the record that ends at ";
            throw wrong(name, how + frame.position(), cursor);
        }
        checkSequence(name, next, cursor);
    }

    private void checkSequence(String name, long found, CursorSlot cursor) {
        if (found != cursor.sequence()) {
            throw wrong(
                    name,
                    "is before record " + cursor.sequence() + ", but the log has record " + found + " there",
                    cursor);
        }
    }

    /** The log may be wrong, or the cursor. */
    private CorruptLogException wrong(String name, String what, CursorSlot cursor) {
        return refused(name, what, cursor, "run verify on the log; or " + startOver(name));
    }

    private static CorruptLogException refused(String name, String what, CursorSlot cursor, String advice) {
        return new CorruptLogException(CursorName.file(name), cursor.position(), "cursor " + name + " " + what, advice);
    }

    private String startOver(String name) {
        return "remove the cursor, which begins anew at the log's first record: bin/persist cursors "
                + ShellWord.of(storage.description()) + " --remove " + ShellWord.of(name);
    }
}
