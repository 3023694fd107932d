package io.persist.log.read;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.read.SequenceSearch.RecordPlace;
import io.persist.log.read.visible.Visibility;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

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
    private final RepairWatch repairs;
    private final Supplier<FrameCursor> others;
    private final CursorPositions numbers;
    private final PositionSearch positions;

    /** Whether the place from which the tailer set out may be none: of a log cut by a repair, or {@link #unproven}. */
    private boolean isUncertain;

    /** Where {@link #toRecord} went last: as long as the cursor is there, only its caller says that it may be. */
    private long unproven = NOWHERE;

    /** The ways of {@code cursor}; {@code cursors} makes further ones of the same tailer, to look ahead with. */
    TailerMoves(
            Storage storage,
            Visibility visibility,
            FrameCursor cursor,
            RepairWatch repairs,
            Function<Visibility, FrameCursor> cursors) {
        this.storage = storage;
        this.visibility = visibility;
        this.cursor = cursor;
        this.repairs = repairs;
        this.others = () -> cursors.apply(visibility);
        this.numbers = new CursorPositions(storage);
        this.positions = new PositionSearch(storage, visibility, cursors, cursor::logId);
    }

    /** One of these ways. */
    interface Way {
        void go() throws IOException;
    }

    /** Goes {@code way}, to where the log has that place now: a repair that was noticed before does not matter then. */
    void go(Way way) {
        try {
            visibility.control().refresh();
            long cut = repairs.takeCut();
            isUncertain = cut < cursor.nextPosition() || unproven == cursor.nextPosition();
            long before = unproven;
            boolean hasArrived = false;
            try {
                unproven = NOWHERE;
                way.go();
                hasArrived = true;
            } finally {
                if (!hasArrived) { // the tailer is where it was: what a repair has done to that place counts again
                    unproven = before;
                    visibility.control().cut().note(cut);
                }
            }
        } catch (IOException | InternalError e) {
            throw failed(e);
        }
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
        if (isUncertain) {
            toStart(bases);
        }
        goToEnd(cursor, bases);
    }

    /** Takes {@code at}, which is at or before the end, on to there; {@code bases} are those of the segments. */
    private void goToEnd(FrameCursor at, NavigableSet<Long> bases) throws IOException {
        long limit = visibility.limit(); // after the segments: it never lies before all of them
        long hint = Math.min(visibility.hint(), limit);
        Long base = hint > at.nextPosition() ? bases.floor(hint) : null;
        if (base != null && numbers.numberAt(base, hint) != 0) {
            at.moveTo(base, hint - base, 0);
        } else if (base != null && hint == limit) {
            // What may be seen ends behind a seal. Its segment tells the next number, unless retention has taken it.
            Long sealed = bases.lower(limit - SegmentHeader.LENGTH);
            goOnToStartOf(at, sealed == null ? base : sealed);
        }
        while (at.next()) { // from the hint on there are few
        }
    }

    private static void goOnToStartOf(FrameCursor at, long base) {
        if (base + SegmentHeader.LENGTH > at.nextPosition()) {
            at.moveTo(base, SegmentHeader.LENGTH, 0);
        }
    }

    /** To the last {@code count} records: before the first of them that is still there, or to the end if it is 0. */
    void toLast(long count) throws IOException {
        if (count < 0) {
            throw new IllegalArgumentException("count=" + count + ", min=0");
        }
        long first = numberAtEnd() - count;
        toFirst(record -> record.sequence() >= first);
    }

    /** The number of the record that will be appended next, as far as the tailer sees. */
    private long numberAtEnd() throws IOException {
        try (FrameCursor end = others.get()) {
            NavigableSet<Long> bases = bases();
            end.moveTo(bases.isEmpty() ? 0 : bases.first(), SegmentHeader.LENGTH, 0);
            goToEnd(end, bases);
            long next = end.expectedSequence();
            return next == 0 ? numbers.sequenceAt(end.nextPosition()) : next;
        }
    }

    /**
     * To the first record whose payload {@code matches}, as it does of all behind; to the end if there is none. {@code
     * afterwards} is run each time that this has called the application.
     */
    void toFirst(Predicate<ByteBuffer> matches, Runnable afterwards) throws IOException {
        toFirst(record -> {
            boolean isMatch = test(matches, record);
            afterwards.run();
            return isMatch;
        });
    }

    /** The search may come upon a record for which the condition is not made: which one it is, only this knows. */
    private static boolean test(Predicate<ByteBuffer> matches, FrameCursor record) {
        ByteBuffer payload = record.payload().view();
        int length = payload.remaining();
        try {
            return matches.test(payload);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "the condition of toFirst has read beyond a record, or beyond something of its own: position="
                            + record.position() + ", sequence="
                            + record.sequence() + ", length=" + length
                            + "; it has to know each record of the log, or to look at the length first",
                    e);
        }
    }

    private void toFirst(Predicate<FrameCursor> holds) throws IOException {
        moveTo(new FirstRecordSearch(storage, visibility, positions, others).find(holds));
    }

    private void moveTo(RecordPlace place) {
        cursor.moveTo(place.base(), place.position() - place.base(), place.number());
    }

    /** To the record that begins at {@code target}, or to the end of the log if that is there; else it stays. */
    void toPosition(long target) throws IOException {
        RecordPlace place = positions.find(target);
        if (place == null) {
            throw new IllegalArgumentException("no record begins here: position=" + target
                    + "; give one that this log's append or tailer has told, or if a power cut has taken its record"
                    + " back, go on from the end or the start");
        }
        moveTo(place);
    }

    /** To where record {@code number} begins, or will, as the caller knows. */
    void toRecord(long target, long number) throws IOException {
        checkNumber(number);
        long base = positions.baseFor(target);
        cursor.moveTo(base, target - base, number);
        unproven = target;
    }

    private static void checkNumber(long number) {
        if (number < 1) {
            throw new IllegalArgumentException("sequence=" + number + ", min=1");
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
        RecordPlace place = positions.find(target);
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
        visibility.control().refresh();
        moveTo(new SequenceSearch(storage, visibility, cursor.logId()).find(target));
    }

    private NavigableSet<Long> bases() throws IOException {
        visibility.control().refresh();
        return LogFiles.basePositions(storage);
    }

    /** The log's id, 0 if there is no log yet. From now on the tailer reads no other log. */
    long logId() {
        try {
            SegmentHeader header = cursor.logId() == 0 ? LogIdentity.firstHeader(storage, bases()) : null;
            if (header != null) {
                cursor.readOnly(header.logId());
            }
            return cursor.logId();
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
