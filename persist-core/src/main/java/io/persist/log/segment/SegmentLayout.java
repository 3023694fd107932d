package io.persist.log.segment;

import io.persist.format.Frame;
import io.persist.format.SegmentHeader;

/**
 * Says where a record will end before it is appended. That follows from where the record begins, from its length, and
 * from the lengths of the segments: so records that are still on their way to the appender can have positions.
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

    /** The segment that is appended to when the log is opened: it may have another length than those after it. */
    private final Bounds first;

    private final int newLength;
    private final int maxPayload;

    /**
     * The segment that was asked for last. A thread that needs another one replaces it; all threads compute the same.
     */
    private volatile Bounds current;

    /** A layout of a log that is in {@code tail}, and goes on in segments of {@code newLength} bytes. */
    public SegmentLayout(Segment tail, int newLength) {
        this.first = new Bounds(tail.basePosition(), tail.endPosition());
        this.newLength = newLength;
        this.maxPayload = Frame.maxPayload(newLength); // one that the first segment cannot hold goes into the next
        this.current = first;
    }

    /** The length of the longest record that fits a new segment, bytes. */
    public int maxPayload() {
        return maxPayload;
    }

    /** Throws if neither the first segment nor a new one has room for a record of {@code length} bytes. */
    public void check(int length) {
        if (length > maxPayload && length > Frame.maxPayload((int) (first.end() - first.base()))) {
            throw tooLong(length, maxPayload);
        }
    }

    /** What is thrown of a record of {@code length} bytes where a new segment has room for {@code maxPayload}. */
    public static IllegalArgumentException tooLong(int length, int maxPayload) {
        return new IllegalArgumentException(
                "record is too long: length=" + length + ", max=" + maxPayload + "; use larger segments");
    }

    /**
     * Where a record of {@code length} bytes will end if the log ends at {@code position} when it is appended.
     *
     * @param length 0 to {@link #maxPayload}; of a longer one it is the end in a segment that could hold it
     */
    public long end(long position, long length) {
        long aligned = Frame.aligned(Frame.HEADER_LENGTH + length);
        Bounds bounds = boundsToKeep(position);
        if (position + aligned <= bounds.limit()) {
            return position + aligned;
        }
        return bounds.end() + SegmentHeader.LENGTH + aligned;
    }

    /** The longest record that ends in the segment of {@code position} if it begins there; below 0 if none does. */
    public long room(long position) {
        return boundsToKeep(position).limit() - position - Frame.HEADER_LENGTH;
    }

    /**
     * Where the next record will begin if the segment in which {@code position} lies ends there: at the beginning of
     * the one behind it, or at {@code position} itself if that has no record before it, and so does not end.
     */
    public long roll(long position) {
        Bounds bounds = boundsToKeep(position);
        return position == bounds.base() + SegmentHeader.LENGTH ? position : bounds.end() + SegmentHeader.LENGTH;
    }

    private Bounds boundsToKeep(long position) {
        Bounds bounds = current;
        if (!bounds.contains(position)) {
            bounds = boundsOf(position);
            current = bounds;
        }
        return bounds;
    }

    /** The base of the segment in which {@code position} lies, which is not below where the log ended when opened. */
    public long basePosition(long position) {
        Bounds bounds = current;
        return bounds.contains(position) ? bounds.base() : boundsOf(position).base();
    }

    /** Prepared segments have the new length too: recovery keeps no others. */
    private Bounds boundsOf(long position) {
        if (first.contains(position)) {
            return first;
        }
        long base = position - (position - first.end()) % newLength;
        return new Bounds(base, base + newLength);
    }
}
