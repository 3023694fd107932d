package io.persist.log.recovery;

import io.persist.file.Storage;
import io.persist.format.DueRecord;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

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

    /** {@code logId} is the log's, null if it is not known. */
    static TrailingData of(Storage storage, NavigableSet<Long> bases, ScanFindings findings, @Nullable Long logId)
            throws IOException {
        Counter counter = new Counter(findings.due());
        Long start = bases.floor(findings.tail());
        for (long base : start == null ? bases : bases.tailSet(start, true)) {
            try (SegmentView segment = SegmentView.openCut(storage, base)) {
                if (segment.damage() == null
                        && (logId == null || logId == segment.header().logId())) {
                    counter.count(segment, (int)
                            Math.min(Math.max(findings.tail() - base, SegmentHeader.LENGTH), segment.length()));
                }
            }
        }
        return new TrailingData(counter.bytes, counter.records, counter.first, counter.last);
    }

    private static final class Counter {

        private final DueRecord due;
        private long bytes;
        private long records;
        private long first;
        private long last;

        Counter(DueRecord due) {
            this.due = due;
        }

        void count(SegmentView segment, int from) {
            int end = segment.stored().end(from, due);
            bytes += end - from;
            FrameWalk frame = segment.walk(from);
            boolean found = frame.search(end, due);
            while (found) {
                if (frame.isRecord()) {
                    last = frame.sequence();
                    first = records == 0 ? last : first;
                    records++;
                }
                found = frame.advanceOrSearch(end, due);
            }
        }
    }
}
