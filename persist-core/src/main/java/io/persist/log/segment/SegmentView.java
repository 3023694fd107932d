package io.persist.log.segment;

import io.persist.error.CorruptLogException;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.DueRecord;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
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

    /** What was stored in this life of the file; the header can be used. */
    public StoredBytes stored() {
        return StoredBytes.of(header(), scanner());
    }

    /** Whether anything was stored behind the header; that is not known if it is damaged, and counts as so. */
    public boolean hasData() {
        return damage != null || stored().isAny();
    }

    /** The same, where the record is known that was due before this segment: its header counts, and later ones. */
    public boolean hasData(DueRecord due) {
        return damage != null || stored().isAny(due);
    }

    /** The seal, the last thing in a segment; null if there is none, or none that can be read. */
    public @Nullable FrameWalk seal() {
        return stored().seal();
    }

    /** The wall clock in the seal, ms since 1970; that of the segment's birth if the seal cannot be read. */
    public long sealedAtMs() {
        FrameWalk seal = seal();
        return seal == null ? header().createdAtMs() : seal.sealTimeMs();
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
