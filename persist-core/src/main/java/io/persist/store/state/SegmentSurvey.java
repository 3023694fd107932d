package io.persist.store.state;

import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.format.TransactionLayout;
import io.persist.log.segment.FrameWalk;
import io.persist.memory.MissingPage;
import java.nio.ByteBuffer;

/**
 * Looks how the values of a sealed segment fill it, before any of them is moved: what is left over at its end is
 * nothing to be gained if its values are too long for it. Packed anew they would leave as much.
 *
 * <p>Most segments are full, which is seen by the place of their seal. Of others all is read once, step by step.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class SegmentSurvey {

    private final ByteBuffer view;
    private final FrameWalk frame;
    private final int stepBytes;
    private final int fullFrom;
    private final EntryCursor entries = new EntryCursor();
    private boolean isBegun;
    private int readBytes;
    private int longestRecord; // of the records with one value that its values would make
    private long unfilled;

    /**
     * A survey of {@code segment}, little-endian, that goes by {@code walk} from its first frame on.
     *
     * @param fullFrom if the seal begins there or behind, so little is left over that nothing else is looked for
     */
    public SegmentSurvey(ByteBuffer segment, FrameWalk walk, int stepBytes, int fullFrom) {
        this.view = segment;
        this.frame = walk;
        this.stepBytes = stepBytes;
        this.fullFrom = fullFrom;
    }

    /**
     * Looks at some of it; returns whether all is known now.
     *
     * @throws io.persist.error.CorruptLogException if a record is none of a store
     * @throws io.persist.error.UnsupportedFormatException if it is one of a newer version
     * @throws InternalError if the device does not read a page of the segment
     */
    public boolean step() {
        readBytes = 0;
        if (!isBegun) {
            isBegun = true;
            if (isFull()) {
                return true;
            }
        }
        while (readBytes < 4L * stepBytes) {
            if (!frame.isWhole()) { // whoever moves its values comes to it, too
                MissingPage.check();
                return true;
            }
            if (frame.isSeal()) {
                long room = (long) view.capacity() - Frame.SEAL_LENGTH - frame.offset();
                unfilled = room < longestRecord ? withoutRecord() : 0;
                return true;
            }
            look();
            readBytes += frame.end() - frame.offset();
            frame.advance();
        }
        return false;
    }

    private boolean isFull() {
        boolean isFull = frame.toSeal(fullFrom);
        MissingPage.check();
        unfilled = isFull ? withoutRecord() : 0;
        return isFull;
    }

    private long withoutRecord() {
        return (long) view.capacity() - (frame.offset() - SegmentHeader.LENGTH);
    }

    private void look() {
        int offset = frame.offset();
        view.limit(offset + Frame.length(view, offset)).position(offset + Frame.HEADER_LENGTH);
        entries.wrap(view, frame.position());
        while (entries.next()) {
            if (entries.isPut()) {
                int entry = TransactionLayout.entryLength(entries.keyLength(), entries.valueLength());
                longestRecord = Math.max(
                        longestRecord, Frame.aligned(Frame.HEADER_LENGTH + TransactionLayout.HEADER_LENGTH + entry));
            }
        }
        view.clear();
    }

    /** How much the last step has read. */
    public int readBytes() {
        return readBytes;
    }

    /**
     * How many bytes of the segment have no record, if none of its values would have had room there, or if that is too
     * little to be of use; else 0, also if the segment is damaged.
     */
    public long unfilled() {
        return unfilled;
    }
}
