package io.persist.log.segment;

import io.persist.error.CorruptLogException;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.MissingPage;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A segment as a scan looks at it: mapped for reading, or with the reason why its header cannot be used. */
public final class ScannedSegment implements AutoCloseable {

    private final long basePosition;
    private final @Nullable Mapping mapping;
    private final @Nullable SegmentHeader header;
    private final @Nullable FrameScanner scanner;
    private final @Nullable CorruptLogException damage;

    private ScannedSegment(
            long basePosition,
            @Nullable Mapping mapping,
            @Nullable SegmentHeader header,
            @Nullable CorruptLogException damage) {
        this.basePosition = basePosition;
        this.mapping = mapping;
        this.header = header;
        this.damage = damage;
        this.scanner = mapping == null || header == null
                ? null
                : new FrameScanner(mapping.buffer(), header.salt(), basePosition);
    }

    /** Opens the segment at {@code basePosition}; a header that cannot be used is a fact and not an exception. */
    public static ScannedSegment open(Storage storage, long basePosition) throws IOException {
        MissingPage.check(); // the error of another one that is held would come in the JDK's own code
        try (StorageFile file = storage.open(SegmentName.of(basePosition), Storage.Access.READ)) {
            SegmentHeader header = LogFiles.readHeader(storage, file, basePosition);
            return new ScannedSegment(basePosition, file.map(header.segmentLength()), header, null);
        } catch (CorruptLogException damage) {
            return new ScannedSegment(basePosition, null, null, damage);
        }
    }

    /** The log's identity in the header of the segment at {@code basePosition}; null if that cannot be used. */
    public static @Nullable Long logId(Storage storage, long basePosition) throws IOException {
        try (ScannedSegment segment = open(storage, basePosition)) {
            return segment.header == null ? null : segment.header.logId();
        }
    }

    /** The position of the segment's first byte. */
    public long basePosition() {
        return basePosition;
    }

    /** The name of the segment's file. */
    public String name() {
        return SegmentName.of(basePosition);
    }

    /** Why the header cannot be used; null if it can. */
    @Nullable
    public CorruptLogException damage() {
        return damage;
    }

    /** The header of a segment that is not damaged. */
    public SegmentHeader header() {
        if (header == null) {
            throw new AssertionError("damaged segment, base=" + basePosition);
        }
        return header;
    }

    /** The frames of a segment that is not damaged. */
    public FrameScanner scanner() {
        if (scanner == null) {
            throw new AssertionError("damaged segment, base=" + basePosition);
        }
        return scanner;
    }

    /** Whether the frame at {@code offset} may come where the number {@code expected} is due. */
    public boolean goesOn(long expected, int offset) {
        return header().goesOn(expected, Frame.sequence(scanner().segment(), offset));
    }

    /** Whether the header can be used, and a frame can begin at {@code position} of the log. */
    public boolean hasPlace(long position) {
        long offset = position - basePosition;
        return damage == null
                && offset >= SegmentHeader.LENGTH
                && offset % Frame.ALIGNMENT == 0
                && position < header().endPosition();
    }

    /** Whether the segment has a valid frame right after its header. */
    public boolean startsWithFrame() {
        return damage == null && scanner().verdict(SegmentHeader.LENGTH) == FrameVerdict.VALID;
    }

    /** Whether the place of the first frame's header holds anything. */
    public boolean hasFirstBytes() {
        int from = SegmentHeader.LENGTH;
        return damage != null
                || scanner().segment().getLong(from) != 0
                || scanner().segment().getLong(from + Long.BYTES) != 0;
    }

    /** Whether anything but zeros follows the header. */
    public boolean hasData() {
        return damage != null || scanner().endOfData(SegmentHeader.LENGTH) > SegmentHeader.LENGTH;
    }

    /** Where the seal is, the last thing in a segment; -1 if there is none, or none that can be read. */
    public int sealOffset() {
        FrameScanner frames = scanner();
        int seal = Frame.aligned(frames.endOfData(SegmentHeader.LENGTH)) - Frame.SEAL_LENGTH;
        boolean found = seal >= SegmentHeader.LENGTH
                && frames.verdict(seal) == FrameVerdict.VALID
                && Frame.type(frames.segment(), seal) == Frame.TYPE_SEAL;
        return found ? seal : -1;
    }

    /**
     * The highest position that any valid frame from {@code offset} on says was synced, or -1 if there is no such
     * frame.
     */
    public long highestSynced(int offset, long minSequence, long maxSequence) {
        if (damage != null) {
            return -1;
        }
        FrameScanner frames = scanner();
        int end = frames.endOfData(offset);
        long highest = -1;
        int at = frames.findValid(offset, end, minSequence, maxSequence);
        while (at >= 0) {
            highest = Math.max(highest, Frame.syncedPosition(frames.segment(), at, basePosition + at));
            int next = frames.next(at);
            at = frames.verdict(next) == FrameVerdict.VALID
                    ? next
                    : frames.findValid(next, end, minSequence, maxSequence);
        }
        return highest;
    }

    /**
     * What was found in the segment holds if this returns.
     *
     * @throws InternalError if a page was missing, of which the JVM has not told yet
     */
    @Override
    public void close() {
        if (mapping != null) {
            try (mapping) {
                MissingPage.check();
            }
        }
    }
}
