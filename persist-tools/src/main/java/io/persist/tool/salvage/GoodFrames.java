package io.persist.tool.salvage;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.nio.ByteBuffer;
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
        SegmentHeader header = LogFiles.firstHeader(storage, all); // one of another log may be where the way begins
        logId = header == null ? null : header.logId();
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
        try (SegmentView segment = SegmentView.openCut(storage, base)) {
            CorruptLogException damage = segment.damage();
            if (damage != null) {
                long end = base + fileLength(segment.name());
                String why = "its records cannot be verified without its header: " + damage.getMessage();
                receiver.gap(segment.name(), base, end, why);
                return end;
            }
            SegmentHeader header = segment.header();
            if (logId != null && logId != header.logId()) {
                receiver.gap(segment.name(), base, header.endPosition(), "the segment belongs to another log");
                return header.endPosition();
            }
            if (header.isVacated()) {
                receiver.vacated(header);
            }
            frames(segment);
            long cutAt = base + segment.length();
            if (cutAt < header.endPosition()) {
                receiver.gap(segment.name(), cutAt, header.endPosition(), "the file ends here");
            }
            return header.endPosition();
        }
    }

    private long fileLength(String name) throws IOException {
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            return file.length();
        }
    }

    private void frames(SegmentView segment) throws IOException {
        int end = segment.length();
        FrameWalk frame = segment.walk(SegmentHeader.LENGTH);
        while (frame.offset() + Frame.HEADER_LENGTH <= end) {
            if (!isGood(frame)) {
                frame = pass(frame, segment);
                continue;
            }
            due = Math.max(due, frame.nextSequence());
            if (frame.isSeal()) {
                return;
            }
            if (!receiver.record(segment.header(), segment.bytes(), frame.offset())) {
                isStopped = true;
                return;
            }
            frame.advance();
        }
    }

    /** Numbers may jump: what is missing has had some. */
    private boolean isGood(FrameWalk frame) {
        return frame.isWhole() && frame.sequence() >= Math.max(due, 1) && (frame.isRecord() || frame.isSeal());
    }

    /** Tells of the gap that begins at {@code damaged}; returns where it ends. */
    private FrameWalk pass(FrameWalk damaged, SegmentView segment) {
        int end = segment.length();
        FrameWalk next = segment.walk(damaged.offset() + Frame.ALIGNMENT);
        if (!next.search(end, Math.max(due, 1), Long.MAX_VALUE - 1)) {
            next = segment.walk(end);
        }
        String why = "no whole record (" + damaged.verdict() + ")";
        receiver.gap(segment.name(), damaged.position(), next.position(), why);
        return next;
    }
}
