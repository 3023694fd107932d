package io.persist.log.read;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import io.persist.log.read.SequenceSearch.Place;
import io.persist.log.segment.LogFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The ways of a tailer to a place in the log.
 *
 * <p><b>Threads:</b> its tailer's.
 */
final class TailerMoves {

    private static final long NOWHERE = -1;

    private final Storage storage;
    private final Visibility visibility;
    private final FrameCursor cursor;
    private final Cursors others;
    private final CursorPositions positions;

    /** Whether the place from which the tailer set out may be none: of a log cut by a repair, or {@link #unproven}. */
    private boolean isUncertain;

    /** Where {@link #toRecord} went last: as long as the cursor is there, only its caller says that it may be. */
    private long unproven = NOWHERE;

    /** The ways of {@code cursor}; {@code others} makes further ones of the same tailer, to look ahead with. */
    TailerMoves(Storage storage, Visibility visibility, FrameCursor cursor, Cursors others) {
        this.storage = storage;
        this.visibility = visibility;
        this.cursor = cursor;
        this.others = others;
        this.positions = new CursorPositions(storage);
    }

    /** Makes cursors of one tailer. */
    interface Cursors {
        FrameCursor make();
    }

    /** One of these ways. */
    interface Way {
        void go() throws IOException;
    }

    /** Goes {@code way}, to where the log has that place now: a repair that was noticed before does not matter then. */
    void go(Way way) {
        try {
            visibility.refresh();
            long cut = takeCut();
            isUncertain = cut < cursor.nextPosition() || unproven == cursor.nextPosition();
            long before = unproven;
            try {
                unproven = NOWHERE;
                way.go();
                cut = RepairCut.NONE;
                before = unproven;
            } finally {
                unproven = before; // a way that ends with an exception leaves the tailer where it was
                visibility.cut().note(cut);
            }
        } catch (IOException | InternalError e) {
            throw failed(e);
        }
    }

    /**
     * There was no next record: looks whether a repair is why, and goes on where that left off.
     *
     * @return whether there is one
     * @throws CorruptLogException if the log was cut before the tailer
     */
    boolean nextAfterRepair() throws IOException {
        checkCut();
        if (!visibility.cut().isNoted()) {
            return false;
        }
        takeCut();
        return cursor.next();
    }

    private long takeCut() {
        long cut = visibility.cut().take();
        if (cut != RepairCut.NONE) {
            cursor.leaveRecord();
            cursor.close(); // the file may be aside by now, and what was read ahead of it
        }
        return cut;
    }

    /** The cursor; throws if a repair has cut the log before it. */
    FrameCursor uncutCursor() {
        checkCut();
        return cursor;
    }

    /** Above this place the log has changed since this was asked last, as far as the cursor has gone on behind it. */
    long changedFrom() {
        return visibility.cut().takeLowest();
    }

    /** Whether a repair has cut the log before the cursor. */
    boolean isBehindCut() {
        return visibility.cut().isBefore(cursor.nextPosition());
    }

    private void checkCut() {
        if (isBehindCut()) {
            throw behindCut();
        }
    }

    /** What a tailer throws if a repair has cut the log before it. */
    CorruptLogException behindCut() {
        return new CorruptLogException(
                SegmentName.of(cursor.neededPosition()),
                cursor.nextPosition(),
                "a repair has cut the log before this tailer",
                "go on from the log's first record");
    }

    /** What a tailer throws that {@code cause} keeps from reading on. */
    LogIOException failed(Throwable cause) {
        return new LogIOException(
                "cannot read the log at position " + cursor.nextPosition() + ": " + cause.getMessage(), cause);
    }

    /** To the oldest record that is still there. */
    void toStart() throws IOException {
        toStart(bases());
    }

    void toStart(NavigableSet<Long> bases) {
        cursor.moveTo(bases.isEmpty() ? 0 : bases.first(), SegmentHeader.LENGTH, 0);
    }

    /** Behind the newest record. */
    void toEnd() throws IOException {
        NavigableSet<Long> bases = bases();
        long limit = visibility.limit(); // after the segments: it never lies before all of them
        if (isUncertain) {
            toStart(bases);
        }
        long hint = Math.min(visibility.hint(), limit);
        Long base = hint > cursor.nextPosition() ? bases.floor(hint) : null;
        if (base != null && positions.numberAt(base, hint) != 0) {
            cursor.moveTo(base, hint - base, 0);
        } else if (base != null && hint == limit) {
            // What may be seen ends behind a seal. Its segment tells the next number, unless retention has taken it.
            Long sealed = bases.lower(limit - SegmentHeader.LENGTH);
            goOnToStartOf(sealed == null ? base : sealed);
        }
        while (cursor.next()) { // from the hint on there are few
        }
    }

    private void goOnToStartOf(long base) {
        if (base + SegmentHeader.LENGTH > cursor.nextPosition()) {
            cursor.moveTo(base, SegmentHeader.LENGTH, 0);
        }
    }

    private void moveTo(Place place) {
        cursor.moveTo(place.base(), place.position() - place.base(), place.number());
    }

    /** To the record that begins at {@code target}, or to the end of the log if that is there; else it stays. */
    void toPosition(long target) throws IOException {
        Place place = find(target);
        if (place == null) {
            throw new IllegalArgumentException("no record begins here: position=" + target
                    + "; give one that this log's append or tailer has told, or if a power cut has taken its record"
                    + " back, go on from the end or the start");
        }
        moveTo(place);
    }

    /** The place at {@code target}, null if it is none; throws {@link RetiredException} if it is gone. */
    private @Nullable Place find(long target) throws IOException {
        Long base = bases().floor(target);
        if (base == null) {
            throw gone(target);
        }
        long number = visibility.shows(target) ? positions.numberAt(base, target) : 0;
        if (number != 0) {
            return new Place(base, target, number);
        }
        // The start of a segment is the end of the log only once the segment before it is sealed.
        Long before = target == base + SegmentHeader.LENGTH ? bases().lower(base) : null;
        Place found = walkTo(target, before == null ? base : before);
        if (found == null && isTakenAway(base)) {
            throw gone(target);
        }
        return found;
    }

    /** Whether the records of the segment at {@code base} are gone: after a look for one of them that found none. */
    private boolean isTakenAway(long base) throws IOException {
        try {
            return LogFiles.header(storage, base).isVacated();
        } catch (FileNotFoundException e) {
            return bases().floor(base) == null; // else it was prepared ahead, and a writer makes it anew
        }
    }

    private static RetiredException gone(long target) {
        return new RetiredException("position is gone: position=" + target + "; go on from the log's first record");
    }

    /** Another cursor looks for the target, so that this one stays where it is. */
    private @Nullable Place walkTo(long target, long base) throws IOException {
        try (FrameCursor ahead = others.make()) {
            ahead.moveTo(base, SegmentHeader.LENGTH, 0);
            while (ahead.nextPosition() < target && ahead.next()) { // it may be where the next record will begin
                if (ahead.position() == target) { // appended since, behind a seal: one step goes over both
                    return new Place(ahead.neededPosition(), target, ahead.sequence());
                }
            }
            boolean isFound = ahead.nextPosition() == target;
            return isFound ? new Place(ahead.neededPosition(), target, ahead.expectedSequence()) : null;
        }
    }

    /** To where record {@code number} begins, or will, as the caller knows. */
    void toRecord(long target, long number) throws IOException {
        checkNumber(number);
        long base = baseFor(target);
        cursor.moveTo(base, target - base, number);
        unproven = target;
    }

    private static void checkNumber(long number) {
        if (number < 1) {
            throw new IllegalArgumentException("sequence=" + number + ", min=1");
        }
    }

    /** The base of the segment in which a record at {@code target} is, or will be. */
    private long baseFor(long target) throws IOException {
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

    /**
     * Looks in the log for the place of the cursor, which is to be stored, if only the caller of {@link #toRecord} has
     * said that it is there. Every other place was found, or what is before it was read.
     */
    void provePlace() throws IOException {
        long target = cursor.nextPosition();
        if (target != unproven) {
            return;
        }
        long number = cursor.expectedSequence();
        Place place = find(target);
        if (place == null || place.number() != number && place.number() != 0) { // 0: no record is left that would tell
            throw new IllegalStateException("the log has no place where toRecord went: position=" + target
                    + ", sequence=" + number + "; go to one that it has, and store then");
        }
        unproven = NOWHERE;
    }

    /** Back to before the record {@code number} at {@code start}, the one that the cursor has just read. */
    void backTo(long start, long number) {
        long base = cursor.neededPosition();
        cursor.moveTo(base, start - base, number);
    }

    /** To the record number {@code target}, or to the end of the log if it will be there. */
    void toSequence(long target) throws IOException {
        checkNumber(target);
        visibility.refresh();
        moveTo(new SequenceSearch(storage, visibility, cursor.logId()).find(target));
    }

    private NavigableSet<Long> bases() throws IOException {
        visibility.refresh();
        return LogFiles.list(storage).basePositions();
    }
}
