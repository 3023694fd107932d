package io.persist.log.read;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.log.read.SequenceSearch.RecordPlace;
import io.persist.log.read.visible.Visibility;
import io.persist.log.segment.LogFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first record for which a condition holds that holds for all records after it too. It halves the segments
 * by the first record of each, and then the numbers of the records in one segment. Each record that it looks at is read
 * as a tailer reads it, so it sees what the tailer may see.
 *
 * <p><b>Threads:</b> its tailer's.
 */
final class FirstRecordSearch {

    /** So often in a row nothing is taken away while a search takes its few reads. */
    private static final int MAX_ATTEMPTS = 100;

    /** More records than a segment has. */
    private static final long MANY = SegmentHeader.MAX_SEGMENT_LENGTH / Frame.HEADER_LENGTH;

    private final Storage storage;
    private final Visibility visibility;
    private final PositionSearch positions;
    private final Supplier<FrameCursor> others;

    /** What is known of the place in between: set anew by each attempt. */
    private @Nullable RecordPlace after; // right after the last record for which it does not hold; null: there is none

    private long low; // the number of that record
    private long high; // a number from which on it holds, or there are no records

    /** A search in {@code storage}, as far as {@code visibility} goes; {@code others} makes cursors to look with. */
    FirstRecordSearch(Storage storage, Visibility visibility, PositionSearch positions, Supplier<FrameCursor> others) {
        this.storage = storage;
        this.visibility = visibility;
        this.positions = positions;
        this.others = others;
    }

    /**
     * The place of the first record for which {@code holds}, which is asked with a cursor on a record; the end of the
     * log if there is none.
     *
     * @throws RetiredException if records are taken away all the time, faster than they are looked at
     * @throws IOException also if a repair cuts the log meanwhile
     */
    RecordPlace find(Predicate<FrameCursor> holds) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try (FrameCursor at = others.get()) {
                RecordPlace found = find(at, holds);
                if (visibility.control().cut().isNoted()) {
                    throw new IOException("a repair has cut the log while it was searched; search again");
                }
                if (!isGone(found)) {
                    return found;
                }
                if (attempt == MAX_ATTEMPTS) {
                    throw PositionSearch.gone(found.position());
                }
            } catch (RetiredException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private boolean isGone(RecordPlace found) throws IOException {
        if (after != null) {
            return positions.isTakenAway(found.base());
        }
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        return !bases.isEmpty() && bases.first() > found.base();
    }

    private RecordPlace find(FrameCursor at, Predicate<FrameCursor> holds) throws IOException {
        after = null;
        high = 0;
        visibility.control().refresh();
        List<Long> bases = new ArrayList<>(LogFiles.basePositions(storage));
        halveSegments(at, bases, holds);
        if (after == null) {
            long first = bases.isEmpty() ? 0 : bases.get(0);
            return new RecordPlace(first, first + SegmentHeader.LENGTH, 0);
        }
        high = high == 0 ? low + MANY : high;
        halveNumbers(at, new SequenceSearch(storage, visibility, at.logId()), holds);
        return after;
    }

    private void halveSegments(FrameCursor at, List<Long> bases, Predicate<FrameCursor> holds) throws IOException {
        int from = 0;
        int to = bases.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            int ofLog = middle; // the log may end before one that is none of its, or go on behind it
            while (ofLog < to && !mayBeOfLog(bases, ofLog, at.logId())) {
                ofLog++;
            }
            if (ofLog == to) {
                to = middle; // if the log goes on here, whoever reads on from the place that is found comes to it
                continue;
            }
            at.moveTo(bases.get(ofLog), SegmentHeader.LENGTH, 0);
            if (isBefore(at, holds)) {
                from = ofLog + 1;
            } else {
                high = at.isOnRecord() ? at.sequence() : 0;
                to = middle;
            }
        }
    }

    /**
     * False if the header of the segment at {@code index} is damaged or another log's, or cannot be read, as on a bad
     * block.
     *
     * @throws IOException if the oldest one cannot be read: there is no record before it to read on from, and at its
     *     beginning all records would come again once the error has gone by
     */
    private boolean mayBeOfLog(List<Long> bases, int index, long logId) throws IOException {
        try {
            SegmentHeader header = LogFiles.header(storage, bases.get(index));
            return logId == 0 || header.logId() == logId;
        } catch (FileNotFoundException gone) {
            return true; // the cursor tells whether it was the log's
        } catch (CorruptLogException damaged) {
            return false;
        } catch (IOException unreadable) {
            if (index == 0) {
                throw unreadable;
            }
            return false;
        }
    }

    private void halveNumbers(FrameCursor at, SequenceSearch numbers, Predicate<FrameCursor> holds) throws IOException {
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (!goTo(at, numbers, middle) || !isBefore(at, holds)) {
                high = middle;
            }
        }
    }

    /** Goes to the record {@code number}; false if the log does not have it yet, or not any more. */
    private static boolean goTo(FrameCursor at, SequenceSearch numbers, long number) throws IOException {
        try {
            RecordPlace place = numbers.find(number);
            at.moveTo(place.base(), place.position() - place.base(), place.number());
            return true;
        } catch (IllegalArgumentException | RetiredException absent) {
            return false; // beyond the end, or in a gap that compaction has left after the segment
        }
    }

    /** Whether the next record of {@code at} is there, and it does not hold for that; then it is the new low one. */
    private boolean isBefore(FrameCursor at, Predicate<FrameCursor> holds) throws IOException {
        if (!at.next() || holds.test(at)) {
            return false;
        }
        low = at.sequence();
        after = new RecordPlace(at.neededPosition(), at.nextPosition(), at.expectedSequence());
        return true;
    }
}
