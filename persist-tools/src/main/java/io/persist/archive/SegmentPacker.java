package io.persist.archive;

import io.persist.archive.source.SourceStorage;
import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
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
    private final SegmentCheck check;
    private @Nullable SegmentHeader last;

    SegmentPacker(Storage log, ArchiveSink sink) throws IOException {
        this.log = log;
        this.sink = sink;
        this.check = new SegmentCheck(log);
    }

    /**
     * Packs the segment at {@code base}, which follows the one before.
     *
     * @throws CorruptLogException if it is damaged or does not follow
     * @throws RetiredException if it was taken away on the way
     */
    void pack(long base) throws IOException {
        String name = LogFileName.segment(base);
        try (SegmentView segment = SegmentView.open(log, base)) {
            SegmentHeader header = segment.intact().header();
            check.requireItFollows(header);
            long first = check.verifyToSeal(segment);
            int checksum = copy(segment.bytes(), name);
            requireItIsStillThere(header);
            packed.add(new ArchivedSegment(base, header.endPosition(), first, check.nextSequence(), checksum));
            last = header;
        } catch (IOException | CorruptLogException e) { // its file may have begun its next life
            if (log.list().contains(name)) {
                throw e;
            }
            throw gone(name);
        } catch (InternalError e) {
            throw SourceStorage.unreadable(log, base, e);
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
        if (!LogFiles.header(log, header.basePosition()).equals(header)) {
            throw gone(LogFileName.segment(header.basePosition()));
        }
    }

    private static RetiredException gone(String name) {
        return new RetiredException(
                "the segment was taken away while it was archived: file=" + name + "; archive the log again");
    }

    /** What has been packed, at least one segment. */
    ArchiveManifest manifest() {
        SegmentHeader header = last;
        if (header == null) {
            return new ArchiveManifest(0, LogContent.MESSAGES, List.of());
        }
        return new ArchiveManifest(header.logId(), header.content(), List.copyOf(packed));
    }
}
