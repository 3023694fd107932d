package io.persist.log;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import io.persist.format.PageProbe;
import io.persist.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A segment as the writer holds it: open, and mapped in {@link WriteMode#MAPPED}. */
final class Segment {

    private final SegmentHeader header;
    private final StorageFile file;
    private final @Nullable Mapping mapping;
    private final PageProbe probe = new PageProbe();

    Segment(SegmentHeader header, StorageFile file, @Nullable Mapping mapping) {
        this.header = header;
        this.file = file;
        this.mapping = mapping;
    }

    SegmentHeader header() {
        return header;
    }

    StorageFile file() {
        return file;
    }

    long basePosition() {
        return header.basePosition();
    }

    long endPosition() {
        return header.endPosition();
    }

    boolean isMapped() {
        return mapping != null;
    }

    /** The segment's bytes; only of a mapped one. */
    ByteBuffer mappedBytes() {
        if (mapping == null) {
            throw new AssertionError("segment is not mapped, base=" + basePosition());
        }
        return mapping.buffer();
    }

    /**
     * Makes the bytes between the two positions, which lie in this segment, survive a power cut. One thread at a time.
     *
     * @throws InternalError if somebody has cut the file there, or the device cannot read it
     */
    void sync(long from, long to) throws IOException {
        if (mapping != null) {
            probe.check(mapping.buffer(), (int) (from - basePosition()), (int) (to - basePosition()));
            mapping.force((int) (from - basePosition()), (int) (to - from));
        } else {
            file.sync();
        }
    }

    void close() {
        if (mapping != null) {
            mapping.close();
        }
        file.close();
    }
}
