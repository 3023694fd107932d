package io.persist.log.recovery;

import io.persist.error.CorruptLogException;
import io.persist.event.OpeningProgress;
import io.persist.event.OpeningProgress.Step;
import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.format.DueRecord;
import io.persist.format.Frame;
import io.persist.format.FrameVerdict;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.recovery.RecoveryTable.Facts;
import io.persist.log.recovery.ScanFindings.Checked;
import io.persist.log.recovery.ScanFindings.Proof;
import io.persist.log.recovery.ScanFindings.Stop;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogEnd;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import io.persist.log.segment.StoredBytes;
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
        /** At the newest known place below which all is synced: what the last writer did not finish lies above. */
        TRUSTED,
        /** At the log's first record: every byte is checked. */
        BEGINNING
    }

    /** What follows in later segments. */
    private enum Following {
        NOTHING,
        BYTES,
        FRAMES
    }

    private static final int RECORDS_PER_LOOK = 64; // for each record it would show, where records are short

    private final Storage storage;
    private final NavigableSet<Long> bases;
    private final @Nullable ControlBlock control;
    private final LogIdentity identity;
    private final OpeningProgress progress;
    private final long flushed;

    private long synced;
    private long acknowledged;
    private long checkedFrom;
    private long firstSequence;
    private long expectedSequence;
    private long lastPosition;
    private long records;
    private @Nullable Long logId;

    LogScan(
            Storage storage,
            LogFiles files,
            LogIdentity identity,
            @Nullable ControlBlock control,
            BootId boot,
            OpeningProgress progress) {
        this.storage = storage;
        this.bases = files.basePositions();
        this.control = control;
        this.identity = identity;
        this.progress = progress;
        this.flushed = control == null ? 0 : flushed(control, boot);
        if (control != null) {
            noteControl(control);
        }
    }

    /** What is synced is all of it that can be relied on. */
    private void noteControl(ControlBlock block) {
        noteSynced(block.synced());
    }

    /** What should be there if the volume is what it was when the writer stopped, which nobody can tell. */
    private static long flushed(ControlBlock control, BootId boot) {
        boolean counts = control.isBoot(boot)
                && (control.state() == ControlBlock.STATE_OPEN || control.state() == ControlBlock.STATE_FAILED);
        return counts ? control.flushed() : 0;
    }

    /** The log's writer runs, so that what it has flushed has to be there: now the flushed position decides, too. */
    LogScan ofLiveWriter() {
        acknowledged = Math.max(acknowledged, flushed);
        return this;
    }

    /** Which log it is, as far as can be told before anything is read. */
    LogIdentity identity() {
        return identity;
    }

    /** The id of the log, once a segment has been read. */
    @Nullable
    Long logId() {
        return logId;
    }

    /** Scans the log. */
    ScanFindings run(Start start) throws IOException {
        ScanFindings found = bases.isEmpty() ? ScanFindings.NOTHING : scan(start);
        return control == null ? found : GoneRecords.orElse(found, bases, control);
    }

    private ScanFindings scan(Start start) throws IOException {
        CleanShutdown clean =
                start == Start.TRUSTED && control != null ? CleanShutdown.find(storage, bases, control) : null;
        if (clean != null && identity.mayBe(clean.logId())) {
            logId = clean.logId();
            return cleanlyClosed(clean.end());
        }
        if (start == Start.BEGINNING) {
            return walk(bases.first(), SegmentHeader.LENGTH);
        }
        ScanStart from = ScanStart.find(storage, bases, control, identity);
        noteSynced(from.synced());
        return walk(from.base(), from.offset());
    }

    /** A log that was closed needs no scan. */
    private ScanFindings cleanlyClosed(LogEnd end) {
        synced = Math.max(synced, end.tail());
        acknowledged = synced;
        String file = LogFileName.segment(bases.headSet(end.tail()).last());
        return new ScanFindings(
                identity.firstBase(storage, bases),
                new Checked(end.lastPosition(), 0, 0),
                end,
                new Proof(acknowledged, synced, flushed),
                new Stop(RecoveryTable.end(), file, "", end.tail()));
    }

    private void noteSynced(long position) {
        synced = Math.max(synced, position);
        acknowledged = Math.max(acknowledged, position);
    }

    /** What begins at {@code base} has to be of the same log as the one before it, if any. A segment's length, or 0. */
    private int checkIdentity(long base) throws IOException {
        Long before = bases.lower(base);
        logId = identity.isCertain() ? identity.id() : null;
        try (SegmentView segment = SegmentView.open(storage, before == null ? base : before)) {
            identity.checkMayBegin(segment);
            if (before != null && segment.damage() == null) {
                logId = segment.header().logId();
                LogIdentity.checkNoneBegins(bases, before, segment.header().endPosition());
            }
            return segment.damage() == null ? segment.header().segmentLength() : 0;
        }
    }

    /** Walks from the frame at {@code start} in the segment at {@code first}. */
    private ScanFindings walk(long first, int start) throws IOException {
        progress.begin(Step.SCAN, first + start, bases.last() + checkIdentity(first)); // lengths seldom differ
        checkedFrom = first + start;
        long base = first;
        int offset = start;
        while (bases.contains(base)) {
            try (SegmentView segment = SegmentView.open(storage, base)) {
                if (segment.damage() != null || !belongs(segment)) {
                    return stopAtDamagedHeader(segment);
                }
                FrameWalk frame = segment.walk(offset);
                boolean isGood = walkToSeal(segment, frame);
                long end = isGood ? segment.header().endPosition() : frame.position() + 1;
                LogIdentity.checkNoneBegins(bases, base, end);
                while (!isGood) {
                    ScanFindings findings = stopAt(segment, frame);
                    // A live writer may have published a record there since.
                    if (!frame.isWhole() || isOutOfOrder(segment, frame)) {
                        return findings;
                    }
                    isGood = walkToSeal(segment, frame);
                }
                base = segment.header().endPosition();
                offset = SegmentHeader.LENGTH;
            } catch (InternalError gone) {
                throw SegmentView.missing(storage, base, gone);
            }
        }
        return stopAtMissing(base);
    }

    private boolean isOutOfOrder(SegmentView segment, FrameWalk frame) {
        long found = frame.sequence();
        return found < 1 || expectedSequence != 0 && !segment.header().goesOn(expectedSequence, found);
    }

    private boolean belongs(SegmentView segment) {
        long id = segment.header().logId();
        logId = logId == null ? id : logId;
        return logId == id;
    }

    /** Goes on to the seal, and returns true; or to the first place before it that is not a good frame. */
    private boolean walkToSeal(SegmentView segment, FrameWalk frame) {
        for (; frame.isWhole() && !isOutOfOrder(segment, frame); frame.advance()) {
            frame.checkType();
            noteSynced(frame.syncedPosition());
            expectedSequence = frame.nextSequence();
            if (frame.isSeal()) {
                return true;
            }
            firstSequence = records == 0 ? frame.sequence() : firstSequence;
            lastPosition = frame.position();
            if ((++records & RECORDS_PER_LOOK - 1) == 0) {
                progress.at(lastPosition);
            }
        }
        return false;
    }

    private ScanFindings stopAt(SegmentView segment, FrameWalk frame) throws IOException {
        int offset = frame.offset();
        FrameVerdict verdict = segment.stored().verdict(frame, expectedSequence);
        int end = endOfData(segment, offset);
        boolean isEnd = end == offset;
        long known = acknowledged;
        long knownLater = isEnd ? -1 : segment.stored().highestSynced(offset + Frame.ALIGNMENT, due(frame.position()));
        noteSynced(knownLater);
        Following next = following(frame.position());
        boolean bounded = verdict == FrameVerdict.VALID || verdict == FrameVerdict.BAD_CHECKSUM;
        if (acknowledged > known) { // by what was found further on
            end = endOfData(segment, offset);
        }
        Facts facts = new Facts(
                verdict == FrameVerdict.EMPTY,
                bounded,
                isEnd && next == Following.NOTHING,
                frame.position() < acknowledged,
                knownLater >= 0 || next == Following.FRAMES);
        String damage =
                verdict == FrameVerdict.VALID ? "sequence number out of order" : "no whole record (" + verdict + ")";
        Stop stop = new Stop(RecoveryTable.lookUp(facts), segment.name(), damage, segment.basePosition() + end);
        return found(frame.position(), stop);
    }

    /** What is due at {@code position}, where the scan stops, as far as is known by now. */
    private DueRecord due(long position) {
        return new DueRecord(expectedSequence, position, acknowledged);
    }

    /** The end of what was stored: what was acknowledged was, also if it cannot be recognised any more. */
    private int endOfData(SegmentView segment, int offset) {
        StoredBytes stored = segment.stored();
        int end = stored.end(offset, due(segment.basePosition() + offset));
        return Math.max(end, stored.endOfAcknowledged(acknowledged));
    }

    private ScanFindings stopAtMissing(long base) throws IOException {
        Following next = following(base);
        Facts facts = Facts.ofMissingSegment(next == Following.NOTHING, base < acknowledged, next == Following.FRAMES);
        return found(
                base, new Stop(RecoveryTable.lookUp(facts), LogFileName.segment(base), "the segment is missing", base));
    }

    /** A header is synced before the file gets its name, so that no crash can tear it: this is damage. */
    private ScanFindings stopAtDamagedHeader(SegmentView segment) throws IOException {
        long base = segment.basePosition();
        acknowledged = Math.max(acknowledged, base + SegmentHeader.LENGTH);
        CorruptLogException damage = segment.damage();
        boolean later = following(base) == Following.FRAMES;
        Facts facts = Facts.ofDamagedHeader(base < acknowledged, later);
        String what = damage == null ? "the segment belongs to another log" : damage.damage();
        return found(base, new Stop(RecoveryTable.lookUp(facts), segment.name(), what, base));
    }

    private ScanFindings found(long tail, Stop stop) throws IOException {
        boolean isAtOnce = expectedSequence == 0 && stop.row().decision() == RecoveryTable.Decision.CORRUPT;
        return new ScanFindings(
                identity.firstBase(storage, bases),
                new Checked(checkedFrom, firstSequence, records),
                isAtOnce
                        ? LastBefore.find(storage, bases, logId, tail)
                        : new LogEnd(tail, Math.max(0, expectedSequence - 1), lastPosition),
                new Proof(acknowledged, synced, flushed),
                stop);
    }

    /**
     * What is in the segments that begin after {@code tail}; notes what their frames know to be synced. A segment
     * without a first frame may have others, or the header of one: what was not synced reaches the device in any order.
     */
    private Following following(long tail) throws IOException {
        Following found = Following.NOTHING;
        Long before = bases.lower(tail);
        for (long base : bases.tailSet(tail, false)) {
            progress.at(base);
            try (SegmentView segment = SegmentView.open(storage, base)) {
                if (!identity.isPartOf(logId, before, segment)) {
                    continue;
                }
                StoredBytes.Later later = segment.stored().later(due(tail));
                if (later.synced() >= 0) {
                    noteSynced(later.synced());
                    found = Following.FRAMES;
                } else if (found == Following.NOTHING && later.isAny().getAsBoolean()) {
                    found = Following.BYTES;
                }
            } catch (InternalError gone) {
                throw SegmentView.missing(storage, base, gone);
            }
        }
        return found;
    }
}
