package io.persist.archive;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogContent;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Verifies the segments of a log one after the other and copies them into an archive. */
final class SegmentPacker {

    private static final int PIECE_LENGTH = 64 << 10;

    private final Storage log;
    private final ArchiveSink sink;
    private final List<ArchivedSegment> packed = new ArrayList<>();
    private @Nullable SegmentHeader previous;

    SegmentPacker(Storage log, ArchiveSink sink) {
        this.log = log;
        this.sink = sink;
    }

    /**
     * Packs the segment at {@code base}, which follows the one before.
     *
     * @throws CorruptLogException if it is damaged or does not follow
     * @throws RetiredException if it was taken away on the way
     */
    void pack(long base) throws IOException {
        String name = SegmentName.of(base);
        try (StorageFile file = log.open(name, Storage.Access.READ)) {
            SegmentHeader header = header(file, base);
            requireItFollows(header);
            try (Mapping mapping = file.map(header.segmentLength())) {
                long expected =
                        packed.isEmpty() ? 0 : packed.get(packed.size() - 1).nextSequence();
                CheckedSegment checked = CheckedSegment.of(mapping.buffer(), name, header, expected);
                int checksum = copy(mapping.buffer(), name);
                requireItIsStillThere(header);
                packed.add(new ArchivedSegment(
                        base, header.endPosition(), checked.firstSequence(), checked.nextSequence(), checksum));
            }
            previous = header;
        } catch (IOException | CorruptLogException e) { // its file may have begun its next life
            if (log.list().contains(name)) {
                throw e;
            }
            throw gone(name);
        }
    }

    private void requireItFollows(SegmentHeader header) {
        SegmentHeader before = previous;
        if (before == null) {
            return;
        }
        long base = header.basePosition();
        if (before.endPosition() != base) {
            throw new CorruptLogException(
                    SegmentName.of(before.endPosition()), before.endPosition(), "the segment is missing");
        }
        if (before.logId() != header.logId() || before.content() != header.content()) {
            throw new CorruptLogException(SegmentName.of(base), base, "the segment belongs to another log");
        }
    }

    private int copy(ByteBuffer segment, String name) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] piece = new byte[PIECE_LENGTH];
        OutputStream out = sink.begin(name);
        for (int offset = 0; offset < segment.capacity(); offset += piece.length) {
            int length = Math.min(piece.length, segment.capacity() - offset);
            segment.get(offset, piece, 0, length);
            crc.update(piece, 0, length);
            out.write(piece, 0, length);
        }
        sink.end();
        return (int) crc.getValue();
    }

    /** A writer that retires a segment renames its file before it writes to it again. */
    private void requireItIsStillThere(SegmentHeader header) throws IOException {
        String name = SegmentName.of(header.basePosition());
        try (StorageFile file = log.open(name, Storage.Access.READ)) {
            if (!header(file, header.basePosition()).equals(header)) {
                throw gone(name);
            }
        }
    }

    private static RetiredException gone(String name) {
        return new RetiredException(
                "the segment was taken away while it was archived: file=" + name + "; archive the log again");
    }

    private static SegmentHeader header(StorageFile file, long base) throws IOException {
        byte[] bytes = new byte[SegmentHeader.LENGTH];
        int read = file.read(0, bytes, 0, bytes.length);
        return SegmentHeader.decode(ByteBuffer.wrap(bytes, 0, read).slice(), SegmentName.of(base), file.length(), base);
    }

    /** What has been packed, at least one segment. */
    ArchiveManifest manifest() {
        SegmentHeader header = previous;
        if (header == null) {
            return new ArchiveManifest(0, LogContent.MESSAGES, List.of());
        }
        return new ArchiveManifest(header.logId(), header.content(), List.copyOf(packed));
    }
}
