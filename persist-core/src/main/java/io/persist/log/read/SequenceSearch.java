package io.persist.log.read;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.FrameVerdict;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.read.visible.Visibility;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds a record by its sequence number. The log is its own index: the search goes among the segments by the sequence
 * of their first record, and within a segment by halving. In the middle it finds the next frame by its checksum, and
 * the frame's sequence says on which side to go on. So the cost grows with the logarithm of the segment's length, and
 * there is no index to write or to damage.
 */
final class SequenceSearch {

    /** Below this many bytes frames are followed one by one. */
    private static final int WALK_LENGTH = 4096;

    /** So often in a row nothing is taken away while a search takes its few reads. */
    private static final int MAX_ATTEMPTS = 100;

    private final Storage storage;
    private final Visibility visibility;
    private final long logId;

    /** What begins here or behind is not looked at: frames may be in the making. */
    private long limit;

    /** Where a record near the log's end begins, so that the empty space after it need not be searched; 0: unknown. */
    private long hint;

    /** Why the first segment could not be read that was passed by as if it had no record; null if there is none. */
    private @Nullable IOException unreadable;

    /** A search in the log {@code logId} of {@code storage}, of which {@code visibility} says how far it goes. */
    SequenceSearch(Storage storage, Visibility visibility, long logId) {
        this.storage = storage;
        this.visibility = visibility;
        this.logId = logId;
    }

    /** Where a record begins, or will, in the segment at {@code base}; with its {@code number}, 0 if not known. */
    record RecordPlace(long base, long position, long number) {

        /** Where the first record will be if there is no log yet. */
        static final RecordPlace OF_FIRST = new RecordPlace(0, SegmentHeader.LENGTH, 1);
    }

    /**
     * The place of the record {@code sequence}; the end of the log for the number after the last.
     *
     * @throws RetiredException if the record is gone
     * @throws IllegalArgumentException if it has not been written yet
     * @throws CorruptLogException if damage keeps it from being found
     */
    RecordPlace find(long sequence) throws IOException {
        for (int attempt = 1; ; attempt++) {
            NavigableSet<Long> bases = LogFiles.basePositions(storage);
            limit = visibility.limit(); // after the segments: it never lies before all of them
            hint = visibility.hint();
            unreadable = null;
            try {
                return find(sequence, ofLog(bases));
            } catch (FileNotFoundException | IllegalArgumentException | CorruptLogException e) {
                if (attempt == MAX_ATTEMPTS || !isOvertaken(e, bases)) {
                    throw e;
                }
            }
        }
    }

    /** Those from the one on with which the log begins; all if none may be the log's. */
    private List<Long> ofLog(NavigableSet<Long> bases) {
        Long first = LogIdentity.firstBase(storage, bases, logId);
        return new ArrayList<>(first == null ? bases : bases.tailSet(first, true));
    }

    /**
     * Whether something was taken away that was looked at: by retention, or by a writer that was opened, which may not
     * use what the last one had prepared ahead. Then it was no log that was searched. What could not be found may be
     * there again by now: such a writer makes it anew.
     */
    private boolean isOvertaken(Exception failure, NavigableSet<Long> before) throws IOException {
        return failure instanceof FileNotFoundException
                || !LogFiles.basePositions(storage).containsAll(before);
    }

    private RecordPlace find(long sequence, List<Long> bases) throws IOException {
        int low = 0;
        int high = bases.size();
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            int numbered = middle;
            long first = firstSequence(bases.get(middle));
            // Nothing may be there yet, which is so of few segments; or the first frame is damaged, and more follows.
            while (first == 0 && numbered + 1 < high && bases.get(numbered + 1) < limit) {
                numbered++;
                first = firstSequence(bases.get(numbered));
            }
            if (first != 0 && first <= sequence) {
                low = numbered;
            } else {
                high = middle;
            }
        }
        if (bases.isEmpty()) {
            if (sequence == RecordPlace.OF_FIRST.number()) {
                return RecordPlace.OF_FIRST;
            }
            throw notWritten(sequence, 0);
        }
        long first = firstSequence(bases.get(low));
        if (first > sequence) {
            throw gone(sequence, "first=" + first);
        }
        long base = bases.get(low);
        try (SegmentView segment = SegmentView.open(storage, base)) {
            long next = low + 1 < bases.size() ? firstSequence(bases.get(low + 1)) : 0;
            checkIsOfLog(segment.intact());
            return new RecordPlace(base, position(segment, sequence, next), sequence);
        }
    }

    /** The number of the segment's first record, 0 if there is none yet, or none that can be read. */
    private long firstSequence(long base) throws IOException {
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk first = segment.frameAt(base + SegmentHeader.LENGTH);
            return first != null && first.position() < limit && isOfLog(segment) ? first.sequence() : 0;
        } catch (FileNotFoundException gone) {
            throw gone;
        } catch (IOException e) { // as a bad block; if the record is there, the search ends in front of it
            unreadable = unreadable == null ? e : unreadable;
            return 0;
        }
    }

    private boolean isOfLog(SegmentView segment) {
        return logId == 0 || segment.header().logId() == logId;
    }

    private void checkIsOfLog(SegmentView segment) {
        if (!isOfLog(segment)) {
            throw new CorruptLogException(segment.name(), segment.basePosition(), "the segment belongs to another log");
        }
    }

    /** {@code next} is the number with which the next segment begins, 0 if it has none. */
    private long position(SegmentView segment, long sequence, long next) throws IOException {
        FrameWalk low = segment.walk(SegmentHeader.LENGTH);
        int high = segment.length();
        FrameWalk near = segment.frameAt(hint);
        if (near != null && near.isRecord()) {
            if (near.position() < limit && near.sequence() <= sequence) {
                return walk(segment, near, sequence, next);
            }
            high = near.offset();
        }
        while (high - low.offset() > WALK_LENGTH && low.isWhole()) {
            int middle = low.offset() + (high - low.offset()) / 2;
            FrameWalk found = segment.walk(middle);
            boolean isFound = found.search(high, low.sequence(), low.sequence() + high / Frame.HEADER_LENGTH);
            if (!isFound || isBeyond(found, sequence)) {
                high = middle;
            } else {
                low = found;
            }
        }
        return walk(segment, low, sequence, next);
    }

    private boolean isBeyond(FrameWalk frame, long sequence) {
        return frame.position() >= limit || frame.isSeal() || frame.sequence() > sequence;
    }

    private long walk(SegmentView segment, FrameWalk frame, long sequence, long next) throws IOException {
        long reached = 0;
        boolean isSealed = false;
        FrameVerdict verdict = verdict(frame); // once for each place: a writer may store a record there meanwhile
        while (verdict == FrameVerdict.VALID) {
            if (frame.sequence() == sequence && !(frame.isSeal() && next > sequence)) {
                return frame.position();
            }
            reached = frame.nextSequence() - 1;
            isSealed = frame.isSeal();
            frame.advance();
            verdict = verdict(frame);
        }
        if (verdict != FrameVerdict.EMPTY && segment.stored().verdict(frame, reached + 1) != FrameVerdict.EMPTY) {
            checkMayBeUnrecovered(segment, frame, "no whole record (" + verdict + ")");
        }
        if (!isSealed) {
            checkEnd(segment, frame);
        }
        long left = Math.max(next, reached + 1);
        if (left > sequence) {
            throw gone(sequence, "next=" + left); // it was in a segment that is vacated
        }
        if (sequence == reached + 1) {
            return frame.position();
        }
        if (isSealed) {
            checkBegin(segment.header().endPosition(), reached + 1);
        }
        throw notWritten(sequence, reached);
    }

    /** A segment without a first record may have had the one that is looked for. */
    private void checkBegin(long base, long due) throws IOException {
        boolean isDue = base + SegmentHeader.LENGTH < visibility.control().acknowledged();
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk first = segment.intact().walk(SegmentHeader.LENGTH);
            checkIsOfLog(segment);
            checkEnd(segment, first);
            if (unreadable != null && verdict(first) == FrameVerdict.VALID) { // it can be read by now
                throw unreadable;
            }
            if (first.position() < limit
                    && segment.stored().verdict(first, due) != FrameVerdict.EMPTY
                    && !first.isWhole()) {
                checkMayBeUnrecovered(segment, first, "no whole record");
            }
        } catch (FileNotFoundException missing) {
            if (isDue) {
                throw new CorruptLogException(LogFileName.segment(base), base, "the segment is missing");
            }
        }
    }

    /** It is damage, unless a writer may have left it that cannot be seen, dead or alive: then the log ends here. */
    private void checkMayBeUnrecovered(SegmentView segment, FrameWalk frame, String otherwise) throws IOException {
        visibility.control().lookAtWriter();
        if (!visibility.mayBeUnrecovered(frame.position())) {
            throw new CorruptLogException(segment.name(), frame.position(), otherwise);
        }
    }

    /** No log ends below what is synced. */
    private void checkEnd(SegmentView segment, FrameWalk frame) {
        // First: what is due has been stored before.
        boolean isDue = frame.position() < visibility.control().acknowledged();
        if (isDue && !frame.isWhole()) {
            throw new CorruptLogException(segment.name(), frame.position(), "nothing where a synced record was");
        }
    }

    /** What is not to be looked at yet counts as empty. */
    private FrameVerdict verdict(FrameWalk frame) {
        return frame.position() < limit ? frame.verdict() : FrameVerdict.EMPTY;
    }

    private static RetiredException gone(long sequence, String left) {
        return new RetiredException(
                "record is gone: sequence=" + sequence + ", " + left + "; go on from the log's first record");
    }

    private static IllegalArgumentException notWritten(long sequence, long last) {
        return new IllegalArgumentException("record is not written yet: sequence=" + sequence + ", last=" + last);
    }
}
