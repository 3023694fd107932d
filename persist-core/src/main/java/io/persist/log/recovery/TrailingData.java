package io.persist.log.recovery;

import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.util.NavigableSet;

/**
 * What lies behind the place where a scan of a log ended.
 *
 * @param bytes from there to the last byte that was stored, summed over the segments whose header can be read,
 *     of a file that was cut short too
 * @param records whole ones among them
 * @param firstSequence of those records, 0 if there is none
 * @param lastSequence of those records, 0 if there is none
 */
public record TrailingData(long bytes, long records, long firstSequence, long lastSequence) {

    /** Nothing follows. */
    public static final TrailingData NONE = new TrailingData(0, 0, 0, 0);

    /** No log has more records behind one place: a generous bound tells numbers from other bytes. */
    private static final long MAX_RECORDS = 1L << 40;

    /** The highest number of a record behind a place where {@code due} is due, 0 if that is not known. */
    static long maxSequence(long due) {
        return due == 0 ? Long.MAX_VALUE - 1 : due + MAX_RECORDS;
    }

    static TrailingData of(Storage storage, NavigableSet<Long> bases, ScanFindings findings) throws IOException {
        long last = findings.lastSequence();
        Counter counter = new Counter(findings.tail(), last + 1, maxSequence(last == 0 ? 0 : last + 1));
        Long start = bases.floor(findings.tail());
        for (long base : start == null ? bases : bases.tailSet(start, true)) {
            try (SegmentView segment = SegmentView.openCut(storage, base)) {
                if (segment.damage() == null) {
                    counter.count(segment, (int)
                            Math.min(Math.max(findings.tail() - base, SegmentHeader.LENGTH), segment.length()));
                }
            }
        }
        return new TrailingData(counter.bytes, counter.records, counter.first, counter.last);
    }

    private static final class Counter {

        private final long tail;
        private final long minSequence;
        private final long maxSequence;
        private long bytes;
        private long records;
        private long first;
        private long last;

        Counter(long tail, long minSequence, long maxSequence) {
            this.tail = tail;
            this.minSequence = minSequence;
            this.maxSequence = maxSequence;
        }

        void count(SegmentView segment, int from) {
            int end = segment.endOfStored(from, minSequence, tail, maxSequence);
            bytes += end - from;
            FrameWalk frame = segment.walk(from);
            boolean found = frame.search(end, minSequence, maxSequence);
            while (found) {
                if (frame.isRecord()) {
                    last = frame.sequence();
                    first = records == 0 ? last : first;
                    records++;
                }
                found = frame.advanceOrSearch(end, minSequence, maxSequence);
            }
        }
    }
}
