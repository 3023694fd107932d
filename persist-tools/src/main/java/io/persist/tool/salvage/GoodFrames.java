package io.persist.tool.salvage;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import io.persist.tool.salvage.ReadableStorage.Unreadable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds every record of a log that verifies, also behind damage. Frames begin at multiples of 8 bytes, and their
 * checksums depend on the segment's salt and on their position: so after damage each such place can be tried: bytes
 * that only look like a frame, and frames at another place than they were written to, do not pass.
 *
 * <p>A writer may go on meanwhile. It comes to a segment only when all before it is full: where there are frames behind
 * a place at which there was nothing, that place is looked at again before anything is missed there.
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

    /** Where nothing more was found in a segment, up to the end of its file. */
    private record OpenEnd(long base, int offset, int end, String why) {}

    private final ReadableStorage storage;
    private final Receiver receiver;
    private final List<OpenEnd> openEnds = new ArrayList<>();
    private long due;
    private boolean isStopped;
    private boolean isBegun;
    private @Nullable Long logId;

    GoodFrames(ReadableStorage storage, Receiver receiver) {
        this.storage = storage;
        this.receiver = receiver;
    }

    /** Goes over the log from the segment of {@code start} on; returns the position after its last segment. */
    long find(long start) throws IOException {
        while (true) {
            NavigableSet<Long> all = LogFiles.basePositions(storage);
            try {
                return find(all, start);
            } catch (FileNotFoundException e) {
                requireRetired(all, e);
            }
        }
    }

    /**
     * A writer takes away the oldest segments, and where the log is a store it has moved what is still needed to the
     * end before, perhaps to segments that are not in the list: so the list is made anew if nothing was told yet.
     */
    private void requireRetired(NavigableSet<Long> all, FileNotFoundException gone) throws IOException {
        NavigableSet<Long> now = LogFiles.basePositions(storage);
        if (now.isEmpty() || now.first() <= all.first()) {
            throw gone;
        }
        if (isBegun) {
            throw new LogIOException(LogSalvage.TAKEN_AWAY, gone);
        }
    }

    private long find(NavigableSet<Long> all, long start) throws IOException {
        Long first = all.floor(start);
        NavigableSet<Long> bases = first == null ? all : all.tailSet(first, true);
        if (bases.isEmpty()) {
            throw new LogIOException("not a log: no segments, directory=" + storage.description(), null);
        }
        SegmentHeader header = LogIdentity.firstHeader(storage, all); // one of another log may be where the way begins
        logId = header == null ? null : header.logId();
        long end = bases.first();
        for (long base : bases) {
            if (isStopped) {
                return end;
            }
            if (base > end && end > bases.first()) {
                gap(LogFileName.segment(end), end, base, "the segment is missing");
            }
            end = Math.max(end, segment(base));
            isBegun = true;
        }
        tellOpenEnds();
        return end;
    }

    /** Returns the position after the segment, as far as it is known. */
    private long segment(long base) throws IOException {
        try (SegmentView segment = SegmentView.openCut(storage, base)) {
            CorruptLogException damage = segment.damage();
            if (damage != null) {
                long end = base + fileLength(segment.name());
                String what = why(base, base + SegmentHeader.LENGTH, damage.damage());
                gap(segment.name(), base, end, "its records cannot be verified without its header: " + what);
                return end;
            }
            SegmentHeader header = segment.header();
            if (logId != null && logId != header.logId()) {
                gap(segment.name(), base, header.endPosition(), "the segment belongs to another log");
                return header.endPosition();
            }
            if (header.isVacated()) {
                lookAgain();
                receiver.vacated(header);
            }
            frames(segment, SegmentHeader.LENGTH);
            long cutAt = base + segment.length();
            if (cutAt < header.endPosition()) {
                gap(segment.name(), cutAt, header.endPosition(), "the file ends here");
            }
            return header.endPosition();
        } catch (InternalError gone) {
            throw SegmentView.missing(storage, base, gone);
        }
    }

    /** What is wrong between the two positions: what cannot be read counts more than what was found there. */
    private String why(long from, long to, String found) {
        return storage.unreadable(from, to).map(Unreadable::reason).orElse(found);
    }

    private long fileLength(String name) throws IOException {
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            return file.length();
        }
    }

    private void frames(SegmentView segment, int from) throws IOException {
        int end = segment.length();
        FrameWalk frame = segment.walk(from);
        while (frame.offset() + Frame.HEADER_LENGTH <= end) {
            if (!isGood(frame)) {
                frame = pass(frame, segment);
                continue;
            }
            lookAgain();
            if (isStopped) {
                return;
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

    /** Numbers may jump: what is missing has had some. It throws if a newer version wrote the frame. */
    private boolean isGood(FrameWalk frame) {
        boolean isGood = frame.isWhole() && frame.sequence() >= Math.max(due, 1);
        if (isGood) {
            frame.checkType();
        }
        return isGood;
    }

    /** Tells of the gap that begins at {@code damaged}, if it is one; returns where to go on. */
    private FrameWalk pass(FrameWalk damaged, SegmentView segment) throws IOException {
        int end = segment.length();
        int begin = damaged.offset();
        FrameWalk next = segment.walk(begin + Frame.ALIGNMENT);
        boolean isMore = next.search(end, Math.max(due, 1), Long.MAX_VALUE - 1);
        FrameWalk now = segment.walk(begin);
        if (isMore && isGood(now)) {
            return now; // a writer has stored it, and more behind it, since it was looked at
        }
        String why = "no whole record (" + now.verdict() + ")";
        if (isMore) {
            lookAgain();
            gap(segment.name(), now.position(), next.position(), why(now.position(), next.position(), why));
            return next;
        }
        long base = segment.basePosition();
        openEnds.add(new OpenEnd(base, begin, end, why(base + begin, base + end, why)));
        return segment.walk(end);
    }

    /** There are frames behind the open ends: what is still not there is missing. */
    private void lookAgain() throws IOException {
        if (openEnds.isEmpty()) { // as for nearly each frame
            return;
        }
        List<OpenEnd> before = List.copyOf(openEnds);
        openEnds.clear();
        for (OpenEnd open : before) {
            try (SegmentView segment = SegmentView.openCut(storage, open.base)) {
                if (isStopped || segment.damage() != null) {
                    openEnds.add(open);
                } else {
                    frames(segment, open.offset);
                }
            }
            tellOpenEnds();
        }
    }

    private void tellOpenEnds() {
        for (OpenEnd open : openEnds) {
            receiver.gap(LogFileName.segment(open.base), open.base + open.offset, open.base + open.end, open.why);
        }
        openEnds.clear();
    }

    private void gap(String file, long from, long to, String why) {
        tellOpenEnds();
        receiver.gap(file, from, to, why);
    }
}
