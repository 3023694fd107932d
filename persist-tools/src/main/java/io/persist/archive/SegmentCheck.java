package io.persist.archive;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.SegmentView;
import io.persist.log.thread.Pace;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the segments of a log, one after the other: that each is this log's and follows the one before, and every
 * record of it.
 */
public final class SegmentCheck {

    private static final int PIECE_LENGTH = 64 << 10;

    private final Pace pace;

    /** What was read since the pace was told. */
    private long unspent;

    /** 0 if there was no log yet. */
    private long logId;

    private @Nullable SegmentHeader previous;

    /** The number that the next record has to have; 0 if it is not known. */
    private long nextSequence;

    /** Begins with whatever segment of {@code log} comes first. */
    public SegmentCheck(Storage log) throws IOException {
        this(log, bytes -> {});
    }

    /** The same; {@code pace} is told what was read. */
    public SegmentCheck(Storage log, Pace pace) throws IOException {
        this.pace = pace;
        this.logId = LogIdentity.idOf(log);
    }

    /**
     * Goes on to the segment that has {@code header}.
     *
     * @throws CorruptLogException if it is another log's, or does not follow the one before
     */
    public void requireItFollows(SegmentHeader header) {
        if (logId != 0 && header.logId() != logId) {
            throw ofAnother(header);
        }
        logId = header.logId();
        SegmentHeader before = previous;
        previous = header;
        if (before == null) {
            return;
        }
        if (before.endPosition() != header.basePosition()) {
            throw new CorruptLogException(
                    LogFileName.segment(before.endPosition()), before.endPosition(), "the segment is missing");
        }
        if (before.content() != header.content()) {
            throw ofAnother(header);
        }
    }

    private static CorruptLogException ofAnother(SegmentHeader header) {
        return new CorruptLogException(
                LogFileName.segment(header.basePosition()),
                header.basePosition(),
                "the segment belongs to another log");
    }

    /**
     * Verifies the next segment up to its seal.
     *
     * @return the number of its first record
     * @throws CorruptLogException if a record is damaged, or the segment is not sealed
     */
    public long verifyToSeal(SegmentView segment) throws IOException {
        FrameWalk frame = segment.walk(SegmentHeader.LENGTH);
        long first = 0;
        while (!verify(frame, segment, " before the seal")) {
            first = first == 0 ? frame.sequence() : first;
            frame.advance();
        }
        return first == 0 ? frame.sequence() : first;
    }

    /**
     * The same of a segment that the log's writer has, up to the offset {@code end}, where the log
     * ends.
     *
     * @throws CorruptLogException if a record is damaged
     */
    public void verifyTo(SegmentView segment, int end) throws IOException {
        for (FrameWalk frame = segment.walk(SegmentHeader.LENGTH); frame.offset() < end; frame.advance()) {
            verify(frame, segment, "");
        }
    }

    /** The next segment is known to be whole, and to end with {@code seal}. */
    public void pass(FrameWalk seal) {
        nextSequence = seal.sequence();
    }

    /** The number of the record that follows. */
    public long nextSequence() {
        return nextSequence;
    }

    /** Verifies one frame; returns whether it is the seal. */
    private boolean verify(FrameWalk frame, SegmentView segment, String where) throws IOException {
        if (!frame.isWhole()) {
            throw new CorruptLogException(
                    segment.name(), frame.position(), "no whole record (" + frame.verdict() + ")" + where);
        }
        if (nextSequence != 0 && !segment.header().goesOn(nextSequence, frame.sequence())) {
            throw new CorruptLogException(
                    segment.name(),
                    frame.position(),
                    "sequence number " + frame.sequence() + " in place of " + nextSequence);
        }
        nextSequence = frame.nextSequence();
        unspent += frame.end() - frame.offset();
        if (unspent >= PIECE_LENGTH) {
            pace.spend(unspent);
            unspent = 0;
        }
        return frame.isSeal();
    }
}
