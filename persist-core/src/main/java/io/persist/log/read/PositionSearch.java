package io.persist.log.read;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadScope;
import io.persist.log.read.SequenceSearch.RecordPlace;
import io.persist.log.read.visible.Visibility;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record that begins at a position, or the end of the log if that is there.
 *
 * <p><b>Threads:</b> its tailer's.
 */
final class PositionSearch {

    private final Storage storage;
    private final Visibility visibility;
    private final Function<Visibility, FrameCursor> cursors;
    private final LongSupplier logId;
    private final CursorPositions positions;

    /**
     * A search in {@code storage}, as far as {@code visibility} goes; {@code cursors} makes cursors to look with, and
     * {@code logId} tells the log's id, 0 if it is not known.
     */
    PositionSearch(
            Storage storage, Visibility visibility, Function<Visibility, FrameCursor> cursors, LongSupplier logId) {
        this.storage = storage;
        this.visibility = visibility;
        this.cursors = cursors;
        this.logId = logId;
        this.positions = new CursorPositions(storage);
    }

    /** The place at {@code target}, null if it is none; throws {@link RetiredException} if it is gone. */
    @Nullable
    RecordPlace find(long target) throws IOException {
        if (target < SegmentHeader.LENGTH) {
            return null; // no log has a record there
        }
        NavigableSet<Long> bases = bases();
        if (bases.isEmpty()) { // nothing was taken away: no log has begun yet, and the first record will be its start
            return target == SegmentHeader.LENGTH ? RecordPlace.OF_FIRST : null;
        }
        Long base = bases.floor(target);
        if (base == null || isBeforeLog(base, bases)) {
            throw gone(target);
        }
        long number = visibility.shows(target) ? positions.numberAt(base, target) : 0;
        if (number != 0) {
            return new RecordPlace(base, target, number);
        }
        // The start of a segment is the end of the log only once the segment before it is sealed.
        Long before = target == base + SegmentHeader.LENGTH ? bases().lower(base) : null;
        RecordPlace found = walkTo(target, before == null ? base : before);
        if (found == null && isTakenAway(base)) {
            throw gone(target);
        }
        return found;
    }

    /** Whether the records of the segment at {@code base} are gone: after a look for one of them that found none. */
    boolean isTakenAway(long base) throws IOException {
        try {
            return LogFiles.header(storage, base).isVacated();
        } catch (FileNotFoundException e) {
            NavigableSet<Long> bases = bases(); // if it was prepared ahead, a writer makes it anew
            return bases.floor(base) == null || isBeforeLog(base, bases);
        }
    }

    private boolean isBeforeLog(long base, NavigableSet<Long> bases) {
        return LogIdentity.beginsBehind(storage, bases, logId.getAsLong(), base);
    }

    /** What is thrown if the record at {@code target} is gone. */
    static RetiredException gone(long target) {
        return new RetiredException("position is gone: position=" + target + "; go on from the log's first record");
    }

    /** The log has a place also where the tailer shows nothing yet, because it is not synced. */
    private @Nullable RecordPlace walkTo(long target, long base) throws IOException {
        if (!visibility.hidesUnsynced()) {
            return walkTo(target, base, visibility);
        }
        try (Visibility published = new Visibility(storage, ReadScope.PUBLISHED)) {
            return walkTo(target, base, published);
        }
    }

    /** Another cursor looks for the target, so that this one stays where it is. */
    private @Nullable RecordPlace walkTo(long target, long base, Visibility shown) throws IOException {
        try (FrameCursor ahead = cursors.apply(shown)) {
            ahead.moveTo(base, SegmentHeader.LENGTH, 0);
            while (ahead.nextPosition() < target && ahead.next()) { // it may be where the next record will begin
                if (ahead.position() == target) { // appended since, behind a seal: one step goes over both
                    return new RecordPlace(ahead.neededPosition(), target, ahead.sequence());
                }
            }
            boolean isFound = ahead.nextPosition() == target;
            return isFound ? new RecordPlace(ahead.neededPosition(), target, ahead.expectedSequence()) : null;
        }
    }

    /** The base of the segment in which a record at {@code target} is, or will be. */
    long baseFor(long target) throws IOException {
        NavigableSet<Long> bases = bases();
        Long base = bases.floor(target);
        if (target < SegmentHeader.LENGTH || target % Frame.ALIGNMENT != 0) {
            throw noRecordCanBegin(target);
        }
        if (base == null) {
            return target - SegmentHeader.LENGTH; // it is gone, as next will say, or there is no log yet
        }
        long end = endOf(base);
        if (target == end + SegmentHeader.LENGTH || target >= end && bases.higher(base) != null) {
            return end; // where the next segment will be, or is missing, as next will say
        }
        if (target < base + SegmentHeader.LENGTH || target >= end) {
            throw noRecordCanBegin(target);
        }
        return base;
    }

    private static IllegalArgumentException noRecordCanBegin(long target) {
        return new IllegalArgumentException("no record can begin here: position=" + target);
    }

    /** Where the segment at {@code base} ends, or may at most end if its header cannot be read, as next will say. */
    private long endOf(long base) throws IOException {
        try {
            return LogFiles.header(storage, base).endPosition();
        } catch (FileNotFoundException | CorruptLogException unreadable) {
            return base + SegmentHeader.MAX_SEGMENT_LENGTH;
        }
    }

    private NavigableSet<Long> bases() throws IOException {
        visibility.control().refresh();
        return LogFiles.basePositions(storage);
    }
}
