package io.persist.archive;

import io.persist.error.CorruptLogException;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import java.nio.ByteBuffer;

/**
 * A sealed segment, every record of which has been verified.
 *
 * @param firstSequence the number of its first record
 * @param nextSequence the number of the record that follows its last one
 */
public record CheckedSegment(long firstSequence, long nextSequence) {

    /**
     * Verifies {@code segment}, which is as long as its header says.
     *
     * @param expected the number that its first record should have; 0 if that is not known
     * @throws CorruptLogException if a record is damaged, or the segment is not sealed
     */
    public static CheckedSegment of(ByteBuffer segment, String name, SegmentHeader header, long expected) {
        FrameScanner frames = new FrameScanner(segment, header.salt(), header.basePosition());
        int offset = SegmentHeader.LENGTH;
        long first = 0;
        long due = expected;
        while (frames.verdict(offset) == FrameVerdict.VALID) {
            long sequence = Frame.sequence(segment, offset);
            if (due != 0 && !header.goesOn(due, sequence)) {
                throw damaged(name, header, offset, "sequence number " + sequence + " in place of " + due);
            }
            first = first == 0 ? sequence : first;
            if (Frame.type(segment, offset) == Frame.TYPE_SEAL) {
                return new CheckedSegment(first, sequence);
            }
            due = sequence + 1;
            offset = frames.next(offset);
        }
        throw damaged(name, header, offset, "no whole record (" + frames.verdict(offset) + ") before the seal");
    }

    private static CorruptLogException damaged(String name, SegmentHeader header, int offset, String what) {
        return new CorruptLogException(name, header.basePosition() + offset, what);
    }
}
