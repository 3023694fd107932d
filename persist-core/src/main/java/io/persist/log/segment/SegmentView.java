package io.persist.log.segment;

import io.persist.error.CorruptLogException;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.DueRecord;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.memory.MissingPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A segment for reading frames, as all but the writer and the tailers see it: mapped, or with the reason why its
 * header cannot be used. Then only {@link #damage}, the name and the base position may be asked for.
 *
 * <p><b>Threads:</b> one at a time; {@link #header} and {@link #bytes} any.
 */
public final class SegmentView implements AutoCloseable {

    private final long basePosition;
    private final @Nullable Mapping mapping;
    private final @Nullable SegmentHeader header;
    private final @Nullable CorruptLogException damage;
    private @Nullable FrameScanner scanner;

    private SegmentView(
            long basePosition,
            @Nullable Mapping mapping,
            @Nullable SegmentHeader header,
            @Nullable CorruptLogException damage) {
        this.basePosition = basePosition;
        this.mapping = mapping;
        this.header = header;
        this.damage = damage;
    }

    /** Opens the segment at {@code basePosition}; a header that cannot be used is a fact and not an exception. */
    public static SegmentView open(Storage storage, long basePosition) throws IOException {
        MissingPage.check(); // the error of another one that is held would come in the JDK's own code
        while (true) {
            try (StorageFile file = storage.open(LogFileName.segment(basePosition), Storage.Access.READ)) {
                SegmentHeader header = LogFiles.readHeader(storage, file, basePosition);
                Mapping mapping = LogFiles.map(file, header);
                if (mapping != null) {
                    return new SegmentView(basePosition, mapping, header, null);
                }
            } catch (CorruptLogException damage) {
                return new SegmentView(basePosition, null, null, damage);
            }
        }
    }

    /** The same of a file that may have been cut short: what is left of it can be looked at. */
    public static SegmentView openCut(Storage storage, long basePosition) throws IOException {
        MissingPage.check();
        try (StorageFile file = storage.open(LogFileName.segment(basePosition), Storage.Access.READ)) {
            SegmentHeader header = LogFiles.readHeaderOfCut(file, basePosition);
            int length = (int) Math.min(file.length(), header.segmentLength());
            return new SegmentView(basePosition, file.map(length), header, null);
        } catch (CorruptLogException damage) {
            return new SegmentView(basePosition, null, null, damage);
        }
    }

    /** The position of the segment's first byte. */
    public long basePosition() {
        return basePosition;
    }

    /** The file's name. */
    public String name() {
        return LogFileName.segment(basePosition);
    }

    /** Why the header cannot be used; null if it can. */
    @Nullable
    public CorruptLogException damage() {
        return damage;
    }

    /**
     * This segment, for those to whom damage is no fact.
     *
     * @throws CorruptLogException if the header cannot be used
     */
    public SegmentView intact() {
        if (damage != null) {
            throw damage;
        }
        return this;
    }

    /** The header, which can be used. */
    public SegmentHeader header() {
        if (header == null) {
            throw new AssertionError("damaged segment, base=" + basePosition);
        }
        return header;
    }

    /** Made only for those who look at frames: it has a buffer. */
    private FrameScanner scanner() {
        if (scanner == null) {
            scanner = new FrameScanner(bytes(), header().salt(), basePosition, header().segmentLength());
        }
        return scanner;
    }

    /** The segment's bytes, from its header on. */
    public ByteBuffer bytes() {
        if (mapping == null) {
            throw new AssertionError("damaged segment, base=" + basePosition);
        }
        return mapping.buffer();
    }

    /** How many bytes there are: those of the segment, or fewer of a file that was cut short. */
    public int length() {
        return bytes().capacity();
    }

    /** A walk from the place at {@code offset} on. */
    public FrameWalk walk(int offset) {
        return new FrameWalk(scanner(), offset);
    }

    /** A walk from {@code position} of the log on; null if the header is damaged, or no frame can begin there. */
    public @Nullable FrameWalk at(long position) {
        long offset = position - basePosition;
        boolean isPlace =
                damage == null && offset >= SegmentHeader.LENGTH && offset % Frame.ALIGNMENT == 0 && offset < length();
        return isPlace ? walk((int) offset) : null;
    }

    /** The same; null also if no whole frame begins there. */
    public @Nullable FrameWalk frameAt(long position) {
        FrameWalk frame = at(position);
        return frame != null && frame.isWhole() ? frame : null;
    }

    /** Whether the place of the first frame's header holds anything. */
    public boolean hasFirstBytes() {
        int from = SegmentHeader.LENGTH;
        return damage != null || bytes().getLong(from) != 0 || bytes().getLong(from + Long.BYTES) != 0;
    }

    /** Whether anything was stored behind the header, in this life of the file. */
    public boolean hasData() {
        if (damage != null || hasFirstBytes()) {
            return true;
        }
        return header().isReused()
                ? walk(SegmentHeader.LENGTH).search(length(), 1, Long.MAX_VALUE - 1)
                : endOfData(SegmentHeader.LENGTH) > SegmentHeader.LENGTH;
    }

    /**
     * Whether the header of the record that is due before this segment, or of a later one, was stored in it, be the
     * rest of the record whole or not. What an earlier life of the file has left does not count.
     */
    public boolean hasHeaders(DueRecord due) {
        int from = SegmentHeader.LENGTH;
        return scanner().endOfHeaders(from, due) > from;
    }

    /**
     * What is where {@code frame} stands, which is the end of the log if it is no frame: EMPTY also if it is only what
     * an earlier life of the file has left there.
     *
     * @param due the number of the record that is due there, 0 if that is not known
     */
    public FrameVerdict verdict(FrameWalk frame, long due) {
        FrameVerdict verdict = frame.verdict();
        boolean isLeft = header().isReused()
                && verdict != FrameVerdict.VALID
                && !scanner().hasHeaderOf(frame.offset(), due);
        return isLeft ? FrameVerdict.EMPTY : verdict;
    }

    /**
     * The offset right after the last byte that was stored in this life of the file, at or after {@code from}; that if
     * there is none. Zeros at the end of a record belong to it. In a file that was used again only whole frames can be
     * told, one at {@code from}, and headers behind it. Of a record whose header stays, the rest could come to be there
     * by what is written later, and it would be whole.
     *
     * @param due the record that is due at {@code from}, or in an earlier segment
     */
    public int endOfStored(int from, DueRecord due) {
        FrameWalk frame = walk(from);
        int end = frame.isWhole() ? frame.end() : from;
        if (!header().isReused()) {
            end = Math.max(end, endOfData(from));
        } else if (end == from && scanner().hasHeaderOf(from, due.sequence())) {
            int claimed = frame.verdict() == FrameVerdict.BAD_CHECKSUM ? frame.end() : 0;
            end = Math.max(claimed, from + Frame.HEADER_LENGTH);
        }
        if (header().isReused()) {
            end = Math.max(end, scanner().endOfHeaders(from, due));
        }
        int to = header().isReused() ? length() : end; // no frame begins among zeros
        boolean found = frame.search(to, due);
        while (found) {
            end = Math.max(end, frame.end());
            found = frame.advanceOrSearch(to, due);
        }
        return Math.min(end, length());
    }

    /** The offset right after the last byte that is not zero, at or after {@code from}; that if all are. */
    public int endOfData(int from) {
        return scanner().endOfData(from);
    }

    /** The seal, the last thing in a segment; null if there is none, or none that can be read. */
    public @Nullable FrameWalk seal() {
        if (header().isReused()) {
            int found = scanner().findSeal();
            return found < 0 ? null : walk(found);
        }
        int offset = Frame.aligned(endOfData(SegmentHeader.LENGTH)) - Frame.SEAL_LENGTH;
        FrameWalk seal = offset < SegmentHeader.LENGTH ? null : walk(offset);
        return seal != null && seal.isWhole() && seal.isSeal() ? seal : null;
    }

    /**
     * The highest position that any valid frame from {@code offset} on says was synced, of those that can come behind
     * the record that is due; -1 if there is no such frame.
     */
    public long highestSynced(int offset, DueRecord due) {
        if (damage != null) {
            return -1;
        }
        int end = endOfData(offset);
        long highest = -1;
        FrameWalk frame = walk(offset);
        boolean found = frame.search(end, due);
        while (found) {
            highest = Math.max(highest, frame.syncedPosition());
            found = frame.advanceOrSearch(end, due);
        }
        return highest;
    }

    /** The error of a page that is missing in the segment that begins at {@code base}, with its file's name. */
    public static InternalError missing(Storage storage, long base, InternalError error) {
        return MissingPage.of(storage.description() + "/" + LogFileName.segment(base), error);
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
