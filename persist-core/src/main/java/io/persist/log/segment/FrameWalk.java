package io.persist.log.segment;

import io.persist.format.DueRecord;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;

/**
 * A place in a segment that goes from frame to frame: the loop of whatever looks at files.
 *
 * <pre>
 *   FrameWalk frame = segment.walk(SegmentHeader.LENGTH);
 *   for (; frame.isWhole(); frame.advance()) {
 *       frame.sequence() …
 *   }
 *   frame.offset()     where no whole frame begins
 *   frame.verdict()    what is there in place of one
 * </pre>
 *
 * <p>Which number may come next is for the loop to say. Tailers have a loop of their own, in {@code FrameCursor}: they
 * follow a writer that goes on storing, so they copy each frame before they check it, and cross the ends of segments.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none but in the constructor.
 */
public final class FrameWalk {

    private final FrameScanner frames;
    private int offset;

    /** A walk that begins at {@code offset} of the segment of {@code frames}. */
    public FrameWalk(FrameScanner frames, int offset) {
        this.frames = frames;
        this.offset = offset;
    }

    /** The place, in bytes from the start of the segment. */
    public int offset() {
        return offset;
    }

    /** The place in the log. */
    public long position() {
        return frames.basePosition() + offset;
    }

    /** What is there. It verifies the whole frame, each time anew: a writer may have stored it meanwhile. */
    public FrameVerdict verdict() {
        return frames.verdict(offset);
    }

    /** Whether a whole frame begins here. What the other methods say of the frame holds if one does. */
    public boolean isWhole() {
        return verdict() == FrameVerdict.VALID;
    }

    /** Whether the frame ends the segment. */
    public boolean isSeal() {
        return Frame.type(frames.segment(), offset) == Frame.TYPE_SEAL;
    }

    /** Whether the frame is a record. */
    public boolean isRecord() {
        return Frame.type(frames.segment(), offset) == Frame.TYPE_RECORD;
    }

    /**
     * Throws if the frame is neither.
     *
     * @throws io.persist.error.UnsupportedFormatException a newer version wrote it
     */
    public void checkType() {
        Frame.checkType(frames.segment(), offset, position());
    }

    /** The record's number; of a seal that of the record after it. */
    public long sequence() {
        return Frame.sequence(frames.segment(), offset);
    }

    /** The number of the record after this frame. */
    public long nextSequence() {
        return isSeal() ? sequence() : sequence() + 1;
    }

    /** Up to where the log was synced when the frame was written, 0 if it does not say. */
    public long syncedPosition() {
        return Frame.syncedPosition(frames.segment(), offset, position());
    }

    /** The wall clock in ms at which the segment was sealed, of a seal. */
    public long sealTimeMs() {
        return Frame.sealTimeMs(frames.segment(), offset);
    }

    /** The offset right after the frame. */
    public int end() {
        return frames.next(offset);
    }

    /** Goes to the place right after the frame. */
    public void advance() {
        offset = end();
    }

    /**
     * Goes to the first whole frame at or after this place, whatever lies in between.
     *
     * @param to the offset before which it begins
     * @param minSequence of the frame
     * @param maxSequence of the frame
     * @return false if there is none; then the place is the same
     */
    public boolean search(int to, long minSequence, long maxSequence) {
        int found = frames.findValid(offset, to, minSequence, maxSequence);
        offset = found < 0 ? offset : found;
        return found >= 0;
    }

    /** The same; the frame can come behind the record that is due. */
    public boolean search(int to, DueRecord due) {
        return search(to, due.sequence(), due.maxSequence());
    }

    /** The first part of a search as {@link #search} has it; if there is none, the place is {@code to} then. */
    public boolean searchPart(int to, long minSequence, long maxSequence) {
        return goTo(frames.findValid(offset, to, minSequence, maxSequence), to);
    }

    /** The next part of that search, from where it has come to. */
    public boolean searchOn(int to, long minSequence, long maxSequence) {
        return goTo(frames.findOn(offset, to, minSequence, maxSequence), to);
    }

    private boolean goTo(int found, int to) {
        offset = found < 0 ? to : found;
        return found >= 0;
    }

    /** Goes to the segment's seal if that begins at {@code from} or behind; false if none does. */
    public boolean toSeal(int from) {
        int seal = frames.findSeal(from);
        offset = seal < 0 ? offset : seal;
        return seal >= 0;
    }

    /** Goes to the frame right after this one, whatever its number; where none is, as {@link #search} does. */
    public boolean advanceOrSearch(int to, DueRecord due) {
        advance();
        return isWhole() || search(to, due);
    }
}
