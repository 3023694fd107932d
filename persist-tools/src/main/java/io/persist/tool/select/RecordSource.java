package io.persist.tool.select;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.tool.salvage.LogSalvage.Place;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The records of a log, for tools. They are copied out of the file before they are checked, so that nothing can change
 * them afterwards.
 */
public final class RecordSource implements AutoCloseable {

    private static final TailerConfig ANY_CONTENT =
            TailerConfig.builder().anyContent().readMode(ReadMode.FILE).build();

    private final Storage log;
    private final Tailer tailer;

    public RecordSource(Storage log) {
        this.log = log;
        this.tailer = Tailer.open(log, ANY_CONTENT);
    }

    /** The current record. */
    public Tailer record() {
        return tailer;
    }

    public long nextPosition() {
        return tailer.nextPosition();
    }

    /** Moves to the next record, if there is one. */
    public boolean next() {
        return tailer.next();
    }

    /** Goes to a record that is known to be there, whatever lies between. */
    public void jumpTo(Place place) {
        tailer.toRecord(place.position(), place.sequence());
    }

    /** Goes to a place from which on no record of {@code range} is missed. */
    public void goTo(RecordRange range) {
        if (range.fromSequence() > 1) {
            goToSequence(range.fromSequence());
        } else if (range.fromPosition() > 0) {
            goToPosition(range.fromPosition());
        }
    }

    /** Goes to a record, or the first one that is left; to the start of a segment before it if damage is in the way. */
    public void goToSequence(long sequence) {
        try {
            tailer.toSequence(sequence);
        } catch (RetiredException gone) {
            tailer.toStart();
            if (isNextBefore(sequence)) {
                goToSegmentBefore(sequence);
            } else {
                tailer.toStart();
            }
        } catch (CorruptLogException damaged) {
            goToSegmentBefore(sequence);
        } catch (IllegalArgumentException notWritten) {
            tailer.toStart();
            long last = EndOfLog.of(log).lastSequence();
            if (last > 0 && sequence > last) {
                goToSequence(last);
            }
        }
    }

    /** The first record of the newest segment that begins before it: a vacated or damaged one may have had it. */
    private void goToSegmentBefore(long sequence) {
        for (long base : SegmentFiles.basePositions(log).stream()
                .sorted(Comparator.reverseOrder())
                .toList()) {
            if (goesTo(base + SegmentHeader.LENGTH) && isNextBefore(sequence) && goesTo(base + SegmentHeader.LENGTH)) {
                return;
            }
        }
        tailer.toStart();
    }

    /** Whether the next record has a number below {@code sequence}. */
    private boolean isNextBefore(long sequence) {
        try {
            return tailer.next() && tailer.sequence() < sequence;
        } catch (CorruptLogException | RetiredException e) {
            return false;
        }
    }

    /** The record that begins there, or the first one of the nearest segment before it. */
    private void goToPosition(long position) {
        if (!goesTo(position) && segmentsBefore(position).noneMatch(base -> goesTo(base + SegmentHeader.LENGTH))) {
            tailer.toStart();
        }
    }

    private boolean goesTo(long position) {
        try {
            tailer.toPosition(position);
            return true;
        } catch (RetiredException | CorruptLogException | IllegalArgumentException noRecordBeginsThere) {
            return false;
        }
    }

    /** The base positions of the segments that begin at or before {@code position}, nearest first. */
    private Stream<Long> segmentsBefore(long position) {
        return SegmentFiles.basePositions(log).stream()
                .filter(base -> base <= position)
                .sorted(Comparator.reverseOrder());
    }

    @Override
    public void close() {
        tailer.close();
    }
}
