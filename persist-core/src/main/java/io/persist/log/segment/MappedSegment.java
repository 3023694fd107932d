package io.persist.log.segment;

import io.persist.file.Mapping;
import io.persist.format.FrameScanner;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A segment of {@link MappedSegments}. It stays mapped while a reader holds it, also after it was dropped: so bytes
 * that were handed out stay as they are.
 *
 * <p><b>Threads:</b> any.
 */
public final class MappedSegment {

    private final SegmentHeader header;
    private final Mapping mapping;
    private final int number;
    private int holders;
    private boolean dropped;

    MappedSegment(SegmentHeader header, Mapping mapping, int number) {
        this.header = header;
        this.mapping = mapping;
        this.number = number;
    }

    SegmentHeader header() {
        return header;
    }

    /** The file's name, for messages. */
    public String name() {
        return SegmentName.of(header.basePosition());
    }

    /** The position of the segment's first byte. */
    public long basePosition() {
        return header.basePosition();
    }

    /** Bytes of the segment. */
    public int length() {
        return header.segmentLength();
    }

    /**
     * 0 for the first segment that was mapped, one more for each: no two of one {@link MappedSegments} have the same.
     */
    public int number() {
        return number;
    }

    /** Whether {@code position} lies in the segment, its header included. */
    public boolean contains(long position) {
        return position >= header.basePosition() && position < header.endPosition();
    }

    /** A new view of the whole segment: read-only, little-endian; index 0 is the segment's base position. */
    public ByteBuffer view() {
        return mapping.buffer().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A new scanner of the segment's frames. */
    public FrameScanner scanner() {
        return new FrameScanner(mapping.buffer(), header.salt(), header.basePosition());
    }

    /**
     * Keeps the segment mapped until {@link #release}.
     *
     * @return false if it is unmapped already
     */
    public synchronized boolean hold() {
        if (dropped && holders == 0) {
            return false;
        }
        holders++;
        return true;
    }

    /** Ends a {@link #hold}. */
    public synchronized void release() {
        holders--;
        unmapIfUnused();
    }

    synchronized void drop() {
        dropped = true;
        unmapIfUnused();
    }

    private void unmapIfUnused() {
        if (dropped && holders == 0) {
            mapping.close();
        }
    }
}
