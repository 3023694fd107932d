package io.persist.store.value;

import io.persist.error.LogIOException;
import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import io.persist.format.FrameScanner;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.FrameWalk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A segment of {@link MappedSegments}. It stays mapped while a reader holds it, also after it was dropped: so what can
 * be read of it stays as it is. A reader that looks here and there asks {@link #isWarm} first: bytes that are not in
 * memory are better read from the file, which may stay open for that; so it is no {@code SegmentView}.
 *
 * <p><b>Threads:</b> any.
 */
public final class MappedSegment {

    private final MappedSegments owner;
    private final SegmentHeader header;
    private final Mapping mapping;
    private final ByteBuffer view;
    private final SegmentWarmth warmth;
    private final IdleFiles.Ticket ticket = new IdleFiles.Ticket();
    private int holders;
    private boolean dropped;

    MappedSegment(MappedSegments owner, SegmentHeader header, Mapping mapping, boolean isWarm) {
        this.owner = owner;
        this.warmth = new SegmentWarmth(isWarm);
        this.header = header;
        this.mapping = mapping;
        this.view = mapping.buffer().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    SegmentHeader header() {
        return header;
    }

    /** The file's name, for messages. */
    public String name() {
        return LogFileName.segment(header.basePosition());
    }

    /** The position of the segment's first byte. */
    public long basePosition() {
        return header.basePosition();
    }

    /** Bytes of the segment. */
    public int length() {
        return header.segmentLength();
    }

    /** Whether {@code position} lies in the segment, its header included. */
    public boolean contains(long position) {
        return position >= header.basePosition() && position < header.endPosition();
    }

    /**
     * The whole segment, read-only and little-endian; index 0 is the segment's base position. All readers have the same
     * one, so nobody may move its position, its limit or its mark.
     */
    public ByteBuffer view() {
        return view;
    }

    /** The same in a view of one's own, whose position and limit may move. */
    public ByteBuffer ownView() {
        return view.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A new walk over the segment's frames, from the first one on. */
    public FrameWalk walk() {
        FrameScanner frames = new FrameScanner(mapping.buffer(), header.salt(), header.basePosition());
        return new FrameWalk(frames, SegmentHeader.LENGTH);
    }

    /** Whether its bytes seem to be in the page cache; then the mapping is the way to them. */
    boolean isWarm() {
        return warmth.isWarm();
    }

    /** Whether its bytes seem to be on the device only. */
    public boolean isCold() {
        return warmth.isCold();
    }

    /** What time it is, in nanoseconds, for what follows. */
    long now() {
        return owner.now();
    }

    /** Tells that to copy so many bytes of the mapping took {@code ns}. */
    void tookByMapping(long ns, int length) {
        warmth.tookByMapping(ns, length);
    }

    /**
     * Reads {@code length} bytes at {@code offset} from the file into {@code target} from {@code to} on; nothing around
     * them comes from the device.
     *
     * @return false if that cannot be done, as the file is gone, or no more can be opened: the mapping still can
     * @throws LogIOException if the file cannot be read, or ends before
     */
    boolean read(int offset, byte[] target, int to, int length) {
        StorageFile file = owner.take(this);
        if (file == null) {
            return false;
        }
        try {
            long startNs = now(); // the file is open: that is no sign of anything
            if (file.readFully(offset, target, to, length) < length) {
                throw new EOFException("the file " + name() + " ends");
            }
            warmth.tookByFile(now() - startNs, length);
            return true;
        } catch (IOException e) {
            long position = basePosition() + offset;
            throw new LogIOException("cannot read the log at position " + position + ": " + e.getMessage(), e);
        } finally {
            owner.giveBack(this, file);
        }
    }

    IdleFiles.Ticket ticket() {
        return ticket;
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
