package io.persist.log;

import io.persist.error.CorruptLogException;
import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.format.ControlBlock;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a log without changing it, up to the first place that is not a good frame, and gathers the facts about
 * that place. Recovery acts on them; the tool {@code verify} shows them.
 */
public final class LogScan {

    /** Where a scan starts. */
    public enum Start {
        /** At the newest place below which nothing can be damaged by what the last writer did not finish. */
        TRUSTED,
        /** At the log's first record: every byte is checked. */
        BEGINNING
    }

    private final Storage storage;
    private final NavigableSet<Long> bases;
    private final @Nullable ControlBlock control;
    private final boolean sameBoot;

    private long synced;
    private long acknowledged;
    private long firstSequence;
    private long expectedSequence;
    private long lastPosition;
    private long records;
    private @Nullable Long logId;

    LogScan(Storage storage, LogFiles files, @Nullable ControlBlock control, BootId boot) {
        this.storage = storage;
        this.bases = files.basePositions();
        this.control = control;
        this.sameBoot = control != null && control.isBoot(boot.high(), boot.low());
        if (control != null) {
            synced = control.synced();
            boolean flushedIsKept = sameBoot && control.state() == ControlBlock.STATE_OPEN;
            acknowledged = Math.max(synced, flushedIsKept ? control.flushed() : 0);
        }
    }

    /** The log's identity, once a segment has been read. */
    @Nullable
    Long logId() {
        return logId;
    }

    /** Scans the log, which has at least one segment. */
    ScanFindings run(Start start) throws IOException {
        CleanEnd clean = start == Start.TRUSTED && control != null ? CleanEnd.find(storage, bases, control) : null;
        if (clean != null) {
            return cleanlyClosed(clean);
        }
        long hint = start == Start.TRUSTED && control != null && sameBoot && control.state() == ControlBlock.STATE_OPEN
                ? control.hint()
                : 0;
        Long base = hint > 0 ? bases.floor(hint) : null;
        if (base != null && startsAtFrame(base, hint)) {
            return walk(base, (int) (hint - base));
        }
        return walk(start == Start.TRUSTED ? newestSyncedSegment() : bases.first(), SegmentHeader.LENGTH);
    }

    /** A log that was closed needs no scan. */
    private ScanFindings cleanlyClosed(CleanEnd end) {
        logId = end.logId();
        synced = Math.max(synced, end.tail());
        acknowledged = synced;
        return new ScanFindings(
                bases.first(),
                end.lastPosition(),
                end.tail(),
                0,
                end.lastSequence(),
                end.lastPosition(),
                0,
                acknowledged,
                synced,
                end.tail(),
                RecoveryTable.end(),
                "");
    }

    /** Whether a good frame begins at {@code position} of the segment at {@code base}. */
    private boolean startsAtFrame(long base, long position) throws IOException {
        try (ScannedSegment segment = ScannedSegment.open(storage, base)) {
            return segment.hasPlace(position)
                    && segment.scanner().verdict((int) (position - base)) == FrameVerdict.VALID;
        }
    }

    /**
     * The segment of the last record that the newest frames know to be synced: everything before it was on the device,
     * and its number tells the next ones.
     */
    private long newestSyncedSegment() throws IOException {
        for (long base : bases.descendingSet()) {
            try (ScannedSegment segment = ScannedSegment.open(storage, base)) {
                long known = segment.highestSynced(SegmentHeader.LENGTH, 1, Long.MAX_VALUE);
                if (known >= 0) {
                    noteSynced(known);
                    break;
                }
            }
        }
        Long from = bases.lower(synced - SegmentHeader.LENGTH);
        return from == null ? bases.first() : from;
    }

    private void noteSynced(long position) {
        synced = Math.max(synced, position);
        acknowledged = Math.max(acknowledged, position);
    }

    /** What begins at {@code base} has to be of the same log as the segment before it, if there is one. */
    private void noteIdentity(long base) throws IOException {
        Long before = bases.lower(base);
        if (before == null) {
            logId = null;
            return;
        }
        try (ScannedSegment segment = ScannedSegment.open(storage, before)) {
            logId = segment.damage() == null ? segment.header().logId() : null;
            if (logId != null) {
                checkNoneBegins(before, segment.header().endPosition());
            }
        }
    }

    /** No other segment may begin between the one at {@code base} and {@code end}: then nobody knows whose that is. */
    private void checkNoneBegins(long base, long end) {
        Long inside = bases.higher(base);
        if (inside != null && inside < end) {
            throw new CorruptLogException(
                    SegmentName.of(inside),
                    inside,
                    "the segment before, " + SegmentName.of(base) + ", reaches into it",
                    "move the one that is not of this log out of the directory");
        }
    }

    /** Walks from the frame at {@code start} in the segment at {@code first}. */
    private ScanFindings walk(long first, int start) throws IOException {
        expectedSequence = 0;
        noteIdentity(first);
        long from = first + start;
        long base = first;
        int offset = start;
        while (bases.contains(base)) {
            try (ScannedSegment segment = ScannedSegment.open(storage, base)) {
                if (segment.damage() != null || !belongs(segment)) {
                    return stopAtDamagedHeader(from, segment);
                }
                int stop = walkSegment(segment, offset);
                checkNoneBegins(base, stop < 0 ? segment.header().endPosition() : base + stop + 1);
                while (stop >= 0) {
                    ScanFindings findings = stopAt(from, segment, stop);
                    // A live writer may have published a record there since.
                    if (segment.scanner().verdict(stop) != FrameVerdict.VALID || isOutOfOrder(segment, stop)) {
                        return findings;
                    }
                    stop = walkSegment(segment, stop);
                }
                base = segment.header().endPosition();
                offset = SegmentHeader.LENGTH;
            }
        }
        return stopAtMissing(from, base);
    }

    private boolean isOutOfOrder(ScannedSegment segment, int offset) {
        return expectedSequence != 0 && !segment.goesOn(expectedSequence, offset);
    }

    private long lastSequence() {
        return Math.max(0, expectedSequence - 1);
    }

    private boolean belongs(ScannedSegment segment) {
        long id = segment.header().logId();
        if (logId == null) {
            logId = id;
        }
        return logId == id;
    }

    /** The offset of the first place that is not a good frame, or -1 if the segment is good up to its seal. */
    private int walkSegment(ScannedSegment segment, int from) {
        FrameScanner frames = segment.scanner();
        int offset = from;
        while (frames.verdict(offset) == FrameVerdict.VALID) {
            if (isOutOfOrder(segment, offset)) {
                return offset;
            }
            long sequence = Frame.sequence(frames.segment(), offset);
            long position = segment.basePosition() + offset;
            noteSynced(Frame.syncedPosition(frames.segment(), offset, position));
            if (Frame.type(frames.segment(), offset) == Frame.TYPE_SEAL) {
                expectedSequence = sequence;
                return -1;
            }
            firstSequence = records == 0 ? sequence : firstSequence;
            expectedSequence = sequence + 1;
            lastPosition = position;
            records++;
            offset = frames.next(offset);
        }
        return offset;
    }

    private ScanFindings stopAt(long from, ScannedSegment segment, int offset) throws IOException {
        FrameScanner frames = segment.scanner();
        FrameVerdict verdict = frames.verdict(offset);
        int endOfData = frames.endOfData(offset);
        long knownLater = endOfData > offset
                ? segment.highestSynced(offset + Frame.ALIGNMENT, expectedSequence, maxSequence())
                : -1;
        boolean later = knownLater >= 0 | laterSegmentsHaveFrames(segment.basePosition());
        noteSynced(knownLater);
        boolean bounded = verdict == FrameVerdict.VALID || verdict == FrameVerdict.BAD_CHECKSUM;
        long position = segment.basePosition() + offset;
        return found(
                from,
                position,
                segment.basePosition() + endOfData,
                verdict == FrameVerdict.EMPTY,
                bounded,
                endOfData == offset,
                later,
                verdict == FrameVerdict.VALID ? "sequence number out of order" : "no whole record (" + verdict + ")");
    }

    private ScanFindings stopAtMissing(long from, long base) throws IOException {
        return found(from, base, base, true, false, true, laterSegmentsHaveFrames(base), "the segment is missing");
    }

    /** A header is synced before the file gets its name, so that no crash can tear it: this is damage. */
    private ScanFindings stopAtDamagedHeader(long from, ScannedSegment segment) throws IOException {
        acknowledged = Math.max(acknowledged, segment.basePosition() + SegmentHeader.LENGTH);
        CorruptLogException damage = segment.damage();
        boolean later = laterSegmentsHaveFrames(segment.basePosition());
        String what = damage == null ? "the segment belongs to another log" : String.valueOf(damage.getMessage());
        long base = segment.basePosition();
        return found(from, base, base, false, false, false, later, what);
    }

    private ScanFindings found(
            long from,
            long tail,
            long endOfData,
            boolean empty,
            boolean bounded,
            boolean clear,
            boolean later,
            String damage) {
        RecoveryTable.Row row =
                RecoveryTable.lookUp(new RecoveryTable.Facts(empty, bounded, clear, tail < acknowledged, later));
        return new ScanFindings(
                bases.first(),
                from,
                tail,
                firstSequence,
                lastSequence(),
                lastPosition,
                records,
                acknowledged,
                synced,
                endOfData,
                row,
                damage);
    }

    /** Looks for frames in the segments after the one at {@code base}, and notes what they know to be synced. */
    private boolean laterSegmentsHaveFrames(long base) throws IOException {
        boolean found = false;
        for (long later : bases.tailSet(base, false)) {
            try (ScannedSegment segment = ScannedSegment.open(storage, later)) {
                // On the same boot nothing is written out of order: a segment without a first frame has none.
                boolean used = !sameBoot || segment.startsWithFrame();
                long known = used ? segment.highestSynced(SegmentHeader.LENGTH, expectedSequence, maxSequence()) : -1;
                if (known >= 0) {
                    noteSynced(known);
                    found = true;
                }
            }
        }
        return found;
    }

    /** No log holds more records between two places than fit there; a generous bound tells numbers from other bytes. */
    private long maxSequence() {
        return expectedSequence + (1L << 40);
    }
}
