package io.persist.log.recovery;

import io.persist.file.Storage;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogEnd;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The end of a log that was closed: what the control block says, if the segments confirm it. That is, no frame is at
 * the end, and nothing but a seal between the last record and the end.
 *
 * @param end where that is, and which record is the last one
 * @param logId the log's identity
 */
record CleanShutdown(LogEnd end, long logId) {

    /** Null if the log was not closed, or has to be scanned to find its end. */
    static @Nullable CleanShutdown find(Storage storage, NavigableSet<Long> bases, ControlBlock control)
            throws IOException {
        long tail = control.cleanTail();
        long last = control.cleanLast();
        Long base = bases.floor(tail);
        if (!control.isClean() || base == null || last >= tail) {
            return null;
        }
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk end = segment.at(tail);
            boolean isEnd =
                    end != null && end.verdict() == FrameVerdict.EMPTY && goesOn(storage, bases.lower(base), segment);
            if (!isEnd) {
                return null;
            }
            long logId = segment.header().logId();
            if (last == 0) {
                boolean isEmpty = tail == bases.first() + SegmentHeader.LENGTH;
                return isEmpty ? new CleanShutdown(new LogEnd(tail, 0, 0), logId) : null;
            }
            long sequence = sequence(storage, bases, last, tail);
            return sequence == 0 ? null : new CleanShutdown(new LogEnd(tail, sequence, last), logId);
        }
    }

    /** Whether the segment is of the same log as the one at {@code base}, and behind it, as far as there is one. */
    private static boolean goesOn(Storage storage, @Nullable Long base, SegmentView segment) throws IOException {
        if (base == null) {
            return true;
        }
        try (SegmentView before = SegmentView.open(storage, base)) {
            return before.damage() != null
                    || before.header().logId() == segment.header().logId()
                            && before.header().endPosition() <= segment.basePosition();
        }
    }

    /** The number of the record at {@code last}, 0 if there is none or the log does not end behind it. */
    private static long sequence(Storage storage, NavigableSet<Long> bases, long last, long tail) throws IOException {
        Long base = bases.floor(last);
        if (base == null) {
            return 0;
        }
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk record = segment.frameAt(last);
            if (record == null || !record.isRecord()) {
                return 0;
            }
            FrameWalk next = segment.frameAt(base + record.end()); // the seal itself would be sought in all the rest
            boolean isSealed = next != null && next.isSeal();
            long end = isSealed ? segment.header().endPosition() + SegmentHeader.LENGTH : base + record.end();
            return end == tail ? record.sequence() : 0;
        }
    }
}
