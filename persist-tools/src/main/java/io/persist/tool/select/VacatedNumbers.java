package io.persist.tool.select;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.SegmentView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers of the records that vacated segments had: those from the seal of the segment before to its own one. Where
 * one of the two cannot be read nothing counts as gone.
 */
public final class VacatedNumbers {

    /** Numbers from {@code first} on, below {@code end}. */
    private record Range(long first, long end) {}

    /** In their order. */
    private final List<Range> ranges;

    private VacatedNumbers(List<Range> ranges) {
        this.ranges = ranges;
    }

    /**
     * Looks at the segments of {@code log}.
     *
     * @throws LogIOException if a file cannot be read
     */
    public static VacatedNumbers of(Storage log) {
        List<Range> ranges = new ArrayList<>();
        SegmentHeader before = null;
        for (SegmentHeader segment : SegmentFiles.headers(log).toList()) {
            if (before != null && segment.isVacated() && before.endPosition() == segment.basePosition()) {
                long first = numberBehind(log, before);
                long end = numberBehind(log, segment);
                if (first > 0 && first < end) {
                    ranges.add(new Range(first, end));
                }
            }
            before = segment;
        }
        return new VacatedNumbers(ranges);
    }

    /** The number of the first record behind {@code segment}, as its seal has it; 0 if it has none. */
    private static long numberBehind(Storage log, SegmentHeader segment) {
        try (SegmentView view = SegmentView.open(log, segment.basePosition())) {
            FrameWalk seal = view.damage() == null ? view.seal() : null;
            return seal == null ? 0 : seal.sequence();
        } catch (FileNotFoundException retired) {
            return 0;
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** How many of the numbers from {@code first} to {@code last}. */
    public long count(long first, long last) {
        return ranges.stream()
                .mapToLong(range -> Math.max(0, Math.min(range.end, last + 1) - Math.max(range.first, first)))
                .sum();
    }

    /** The number from which on there are {@code count} records up to {@code last}; 1 if there are fewer. */
    public long lastFrom(long count, long last) {
        long end = last + 1;
        long left = count;
        for (int i = ranges.size() - 1; i >= 0; i--) {
            Range gone = ranges.get(i);
            long behind = Math.max(0, end - gone.end); // what came after the last may be vacated already
            if (behind >= left) {
                break;
            }
            left -= behind;
            end = Math.min(end, gone.first);
        }
        return Math.max(1, end - left);
    }
}
