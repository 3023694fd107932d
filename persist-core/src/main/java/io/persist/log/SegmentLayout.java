package io.persist.log;

import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import java.util.ArrayList;
import java.util.List;

/**
 * Says where a record will end before it is appended. That follows from where it begins, its length, and the lengths of
 * the segments: so positions can be given to records that are still on their way to the appender.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none but when a segment ends.
 */
public final class SegmentLayout {

    /** A segment: its first position, and the one that no frame but the seal may pass. */
    private record Bounds(long base, long end) {

        long limit() {
            return end - Frame.SEAL_LENGTH;
        }

        boolean contains(long position) {
            return position >= base && position < end;
        }
    }

    /** The segments that are there already: they may have another length than new ones. Ascending. */
    private final List<Bounds> existing = new ArrayList<>();

    /** From here on all segments are new. */
    private final long newBase;

    private final int newLength;
    private final int maxPayload;

    /** The segment that was asked for last. Whoever finds that it is another one replaces it; all compute the same. */
    private volatile Bounds current;

    SegmentLayout(WriterSegments segments, int newLength) {
        int shortest = newLength;
        List<Segment> all = new ArrayList<>(List.of(segments.tail()));
        all.addAll(segments.prepared());
        for (Segment segment : all) {
            existing.add(new Bounds(segment.basePosition(), segment.endPosition()));
            shortest = Math.min(shortest, segment.header().segmentLength());
        }
        this.newBase = all.get(all.size() - 1).endPosition();
        this.newLength = newLength;
        this.maxPayload = Frame.maxPayload(shortest);
        this.current = existing.get(0);
    }

    /** The length of the longest record that fits every segment, bytes. */
    public int maxPayload() {
        return maxPayload;
    }

    /**
     * Where a record of {@code length} bytes will end if the log ends at {@code position} when it is appended.
     *
     * @param length 0 to {@link #maxPayload}
     */
    public long end(long position, int length) {
        int aligned = Frame.aligned(Frame.HEADER_LENGTH + length);
        Bounds bounds = current;
        if (!bounds.contains(position)) {
            bounds = boundsOf(position);
            current = bounds;
        }
        if (position + aligned <= bounds.limit()) {
            return position + aligned;
        }
        return bounds.end() + SegmentHeader.LENGTH + aligned;
    }

    private Bounds boundsOf(long position) {
        for (Bounds bounds : existing) {
            if (bounds.contains(position)) {
                return bounds;
            }
        }
        long base = position - (position - newBase) % newLength;
        return new Bounds(base, base + newLength);
    }
}
