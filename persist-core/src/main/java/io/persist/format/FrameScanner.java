package io.persist.format;

import io.persist.memory.MappedCrc;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Judges the frames of one segment. It trusts no byte: a length is bounded before it is used, and no content makes a
 * method throw.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class FrameScanner {

    /** Of how many bytes a search may compute checksums in vain: of so many segments, and more for each byte passed. */
    private static final int SEGMENTS_IN_VAIN = 16;

    private static final int IN_VAIN_PER_BYTE = 64;

    private static final byte[] ZEROS = new byte[4096];

    private final ByteBuffer segment;
    private final FrameChecksum checksum;
    private final long salt;
    private final long basePosition;

    /** So many bytes of the segment are gone, behind the end. */
    private final int cutLength;

    /** Where the search began, and of how many bytes it has computed checksums in vain. */
    private int searchedFrom;

    private long inVain;

    /** A scanner over a whole segment: index 0 of {@code segment} is its header. */
    public FrameScanner(ByteBuffer segment, long salt, long basePosition) {
        this(segment, salt, basePosition, segment.capacity());
    }

    /** The same over what is left of a segment that had {@code segmentLength} bytes when it was written. */
    public FrameScanner(ByteBuffer segment, long salt, long basePosition, int segmentLength) {
        this.cutLength = segmentLength - segment.capacity();
        this.segment = segment;
        this.checksum = new FrameChecksum(segment);
        this.salt = salt;
        this.basePosition = basePosition;
    }

    /** The bytes of the segment. */
    public ByteBuffer segment() {
        return segment;
    }

    /** The position of the segment's first byte. */
    public long basePosition() {
        return basePosition;
    }

    /** How many bytes of the segment there are. */
    int end() {
        return segment.capacity();
    }

    /** Judges what begins at {@code offset}; the last places of a segment, too short for a header, are EMPTY. */
    public FrameVerdict verdict(int offset) {
        if (offset + Frame.HEADER_LENGTH > end()) {
            return FrameVerdict.EMPTY;
        }
        int length = segment.isDirect() ? Frame.lengthAcquire(segment, offset) : Frame.length(segment, offset);
        if (length == 0) {
            return FrameVerdict.EMPTY;
        }
        int space = end() - offset;
        if (length < Frame.HEADER_LENGTH
                || length > space
                || !Frame.leavesSpace(segment, offset, length, space + cutLength)) {
            return FrameVerdict.BAD_LENGTH;
        }
        return checksum.of(offset, length, salt, basePosition + offset) == Frame.checksum(segment, offset)
                ? FrameVerdict.VALID
                : FrameVerdict.BAD_CHECKSUM;
    }

    /** The offset right after the valid frame at {@code offset}. */
    public int next(int offset) {
        return offset + Frame.aligned(Frame.length(segment, offset));
    }

    /**
     * The offset of the first valid frame at or after {@code from} and before {@code to}, or -1. Looks at every aligned
     * place, since nothing says where a frame begins once one of them is damaged. A place counts only if its sequence
     * number lies in the given range, so that checksums are computed for hardly anything but frames. A payload that is
     * made to look like many long frames exhausts a budget: then places that claim more than is left are passed by. The
     * budget grows with the way, so that the payload hides hardly more than itself.
     */
    public int findValid(int from, int to, long minSequence, long maxSequence) {
        searchedFrom = Math.max(Frame.aligned(from), SegmentHeader.LENGTH);
        inVain = 0;
        return findOn(searchedFrom, to, minSequence, maxSequence);
    }

    /** The same, where the last search has found none before {@code from}: its budget is for all of the way. */
    public int findOn(int from, int to, long minSequence, long maxSequence) {
        int last = Math.min(to, end() - Frame.HEADER_LENGTH + 1);
        for (int offset = Frame.aligned(from); offset < last; offset += Frame.ALIGNMENT) {
            if (segment.getInt(offset) == 0) {
                continue;
            }
            long sequence = Frame.sequence(segment, offset);
            if (sequence < minSequence || sequence > maxSequence || !hasKnownHeader(offset)) {
                continue;
            }
            int claimed = Math.max(0, Math.min(Frame.length(segment, offset), end()));
            long budget = (long) SEGMENTS_IN_VAIN * end() + (long) IN_VAIN_PER_BYTE * (offset - searchedFrom);
            if (inVain + claimed > budget) {
                continue;
            }
            if (verdict(offset) == FrameVerdict.VALID) {
                return offset;
            }
            inVain += claimed;
        }
        return -1;
    }

    /**
     * Whether the header of the frame with the number {@code due} was stored at {@code offset}, be the rest of it whole
     * or not. What an earlier life of the file has left there has another number, or is no header at all.
     *
     * @param due 0 for any number
     */
    public boolean hasHeaderOf(int offset, long due) {
        if (offset + Frame.HEADER_LENGTH > end() || !hasKnownHeader(offset)) {
            return false;
        }
        long sequence = Frame.sequence(segment, offset);
        return due == 0 ? sequence > 0 : sequence == due;
    }

    /**
     * The offset right after the last place, at or after {@code from}, at which the header of the record that is due or
     * of a later one may have been stored, be the rest of that record whole or not; {@code from} if there is none. What
     * an earlier life of the file has left there has lower numbers. Its payload may look like a header; so all that is
     * known of one is compared.
     */
    public int endOfHeaders(int from, DueRecord due) {
        int last = end() - Frame.HEADER_LENGTH & -Frame.ALIGNMENT;
        for (int offset = last; offset >= from; offset -= Frame.ALIGNMENT) {
            long sequence = Frame.sequence(segment, offset);
            if (sequence >= due.sequence() && isHeader(offset, sequence, due)) {
                return offset + Frame.HEADER_LENGTH;
            }
        }
        return from;
    }

    private boolean isHeader(int offset, long sequence, DueRecord due) {
        int length = Frame.length(segment, offset);
        int space = end() - offset;
        boolean isSeal = Frame.type(segment, offset) == Frame.TYPE_SEAL;
        int unsynced = Frame.unsynced(segment, offset);
        long position = basePosition + offset;
        long synced = unsynced == Frame.UNSYNCED_UNKNOWN ? 0 : position - unsynced;
        return length >= Frame.HEADER_LENGTH
                && (isSeal ? length == Frame.SEAL_LENGTH : length <= space - Frame.SEAL_LENGTH)
                && Frame.checksum(segment, offset) != 0 // as in an array of small numbers
                && hasKnownHeader(offset)
                && (Frame.flags(segment, offset) & ~Frame.FLAG_STARTS_COMMIT) == 0
                && unsynced >= 0
                && due.allows(position, sequence, synced);
    }

    /** The offset of the last valid seal, or -1: in a file that was used again other bytes may follow it. */
    public int findSeal() {
        return findSeal(SegmentHeader.LENGTH);
    }

    /** The same of a seal that does not begin before {@code from}. */
    public int findSeal(int from) {
        for (int offset = (end() & -Frame.ALIGNMENT) - Frame.SEAL_LENGTH; offset >= from; offset -= Frame.ALIGNMENT) {
            if (Frame.length(segment, offset) == Frame.SEAL_LENGTH
                    && Frame.type(segment, offset) == Frame.TYPE_SEAL
                    && verdict(offset) == FrameVerdict.VALID) {
                return offset;
            }
        }
        return -1;
    }

    /** Of a segment with frames that this does not know the header is refused: see {@link Frame#RESERVED_OFFSET}. */
    private boolean hasKnownHeader(int offset) {
        byte type = Frame.type(segment, offset);
        return (type == Frame.TYPE_RECORD || type == Frame.TYPE_SEAL)
                && segment.getShort(offset + Frame.RESERVED_OFFSET) == 0;
    }

    /** The offset right after the last byte that is not zero, in {@code [from, end())}; {@code from} if all are. */
    public int endOfData(int from) {
        int offset = endOfPieces(from);
        while (offset - Long.BYTES >= from && segment.getLong(offset - Long.BYTES) == 0) {
            offset -= Long.BYTES;
        }
        while (offset > from && segment.get(offset - 1) == 0) {
            offset--;
        }
        return offset;
    }

    /**
     * The end of the last piece of some length that is not all zeros, or where less than a piece is left. It compares
     * copies: the JVM's intrinsic comparison crashes if a mapped file is cut meanwhile, as the intrinsic checksum of
     * {@link MappedCrc} does.
     */
    private int endOfPieces(int from) {
        byte[] piece = new byte[ZEROS.length];
        int offset = end();
        while (offset - piece.length >= from) {
            segment.get(offset - piece.length, piece);
            if (!Arrays.equals(piece, ZEROS)) {
                return offset;
            }
            offset -= piece.length;
        }
        return offset;
    }
}
