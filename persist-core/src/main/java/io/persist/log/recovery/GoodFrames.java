package io.persist.log.recovery;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.MissingPage;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import io.persist.log.segment.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds every record of a log that verifies, also behind damage. Frames begin at multiples of 8 bytes, and their
 * checksums depend on the segment's salt and on their position: so after damage each such place can be tried: bytes
 * that only look like a frame, and frames at another place than they were written to, do not pass.
 */
final class GoodFrames {

    /** Told of all that is found, in the order of the log. */
    interface Receiver {

        /**
         * A record: the frame at {@code offset} of {@code segment}, whose first byte is at the position of the header.
         *
         * @return whether to go on
         */
        boolean record(SegmentHeader header, ByteBuffer segment, int offset) throws IOException;

        /** From here up to there, where the next good frame begins, nothing could be verified. */
        void gap(String file, long from, long to, String why);

        /** A segment that compaction has vacated, or a salvage has put where records are missing. */
        void vacated(SegmentHeader header);
    }

    private final Storage storage;
    private final Receiver receiver;
    private long due;
    private boolean isStopped;
    private @Nullable Long logId;

    GoodFrames(Storage storage, Receiver receiver) {
        this.storage = storage;
        this.receiver = receiver;
    }

    /** Goes over the log from the segment of {@code start} on; returns the position after its last segment. */
    long find(long start) throws IOException {
        NavigableSet<Long> all = LogFiles.list(storage).basePositions();
        Long first = all.floor(start);
        NavigableSet<Long> bases = first == null ? all : all.tailSet(first, true);
        if (bases.isEmpty()) {
            throw new LogIOException("not a log: no segments, directory=" + storage.description(), null);
        }
        long end = bases.first();
        for (long base : bases) {
            if (isStopped) {
                return end;
            }
            if (base > end && end > bases.first()) {
                receiver.gap(SegmentName.of(end), end, base, "the segment is missing");
            }
            end = Math.max(end, segment(base));
        }
        return end;
    }

    /** Returns the position after the segment, as far as it is known. */
    private long segment(long base) throws IOException {
        String name = SegmentName.of(base);
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            SegmentHeader header;
            try {
                header = header(file, name, base);
            } catch (CorruptLogException damage) {
                String why = "its records cannot be verified without its header: " + damage.getMessage();
                receiver.gap(name, base, base + file.length(), why);
                return base + file.length();
            }
            if (logId != null && logId != header.logId()) {
                receiver.gap(name, base, header.endPosition(), "the segment belongs to another log");
                return header.endPosition();
            }
            logId = header.logId();
            if (header.isVacated()) {
                receiver.vacated(header);
            }
            int length = (int) Math.min(file.length(), header.segmentLength());
            try (Mapping mapping = file.map(length)) {
                MissingPage.check();
                frames(header, name, mapping.buffer());
                MissingPage.check();
            }
            if (length < header.segmentLength()) {
                receiver.gap(name, base + length, header.endPosition(), "the file ends here");
            }
            return header.endPosition();
        }
    }

    /** A file that was cut short has its header all the same. */
    private static SegmentHeader header(StorageFile file, String name, long base) throws IOException {
        byte[] bytes = new byte[SegmentHeader.LENGTH];
        ByteBuffer header =
                ByteBuffer.wrap(bytes, 0, LogFiles.readStart(file, bytes)).slice();
        if (header.capacity() < SegmentHeader.LENGTH) {
            throw new CorruptLogException(name, base, "the file ends within its header");
        }
        long stated = header.order(ByteOrder.LITTLE_ENDIAN).getLong(SegmentHeader.SEGMENT_LENGTH_OFFSET);
        return SegmentHeader.decode(header, name, stated, base);
    }

    private void frames(SegmentHeader header, String name, ByteBuffer segment) throws IOException {
        FrameScanner frames = new FrameScanner(segment, header.salt(), header.basePosition());
        int offset = SegmentHeader.LENGTH;
        while (offset + Frame.HEADER_LENGTH <= frames.end()) {
            if (isGood(frames, offset)) {
                if (Frame.type(segment, offset) == Frame.TYPE_SEAL) {
                    due = Math.max(due, Frame.sequence(segment, offset));
                    return;
                }
                due = Frame.sequence(segment, offset) + 1;
                if (!receiver.record(header, segment, offset)) {
                    isStopped = true;
                    return;
                }
                offset = frames.next(offset);
                continue;
            }
            FrameVerdict verdict = frames.verdict(offset);
            int next = frames.findValid(offset + Frame.ALIGNMENT, frames.end(), Math.max(due, 1), Long.MAX_VALUE - 1);
            int to = next < 0 ? frames.end() : next;
            long from = header.basePosition() + offset;
            receiver.gap(name, from, header.basePosition() + to, "no whole record (" + verdict + ")");
            offset = to;
        }
    }

    private boolean isGood(FrameScanner frames, int offset) {
        if (frames.verdict(offset) != FrameVerdict.VALID) {
            return false;
        }
        byte type = Frame.type(frames.segment(), offset);
        long sequence = Frame.sequence(frames.segment(), offset);
        return sequence >= due && sequence > 0 && (type == Frame.TYPE_RECORD || type == Frame.TYPE_SEAL);
    }
}
