package io.persist.log.segment;

import io.persist.format.DueRecord;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was stored in a segment in this life of its file, and where it ends. A file that was used again keeps its old
 * bytes until records come, so less can be told of it: see decision 0028.
 *
 * <pre>
 *   new          | header | 41 | 42 | torn 43 … 00 00 00 00 00 00 |   ends behind the last byte that is not zero
 *   used again   | header | 41 | 42 | torn 43 … 8 | 9 | old bytes |   ends behind what its number tells to be of this
 *                                                                     life: a whole frame, or the header of one
 * </pre>
 *
 * <p><b>Threads:</b> one at a time.
 */
public abstract sealed class StoredBytes {

    private static final int FIRST = SegmentHeader.LENGTH;

    final FrameScanner frames;

    private StoredBytes(FrameScanner frames) {
        this.frames = frames;
    }

    /** Of the segment with {@code header}, over which {@code frames} goes. */
    static StoredBytes of(SegmentHeader header, FrameScanner frames) {
        return header.isReused() ? new OfReused(frames) : new OfNew(frames);
    }

    /** Whether there is anything, as far as that can be told without a number. */
    abstract boolean isAny();

    /** The same, where a number is known: that of the record that is due before this segment. */
    abstract boolean isAny(DueRecord due);

    /**
     * What is where {@code frame} stands, which is the end of the log if it is no frame: EMPTY also if it is only what
     * an earlier life of the file has left there.
     *
     * @param due the number of the record that is due there, 0 if that is not known
     */
    public abstract FrameVerdict verdict(FrameWalk frame, long due);

    /**
     * The offset right after the last byte that was stored, at or after {@code from}; that if there is none. Zeros at
     * the end of a record belong to it.
     *
     * @param due the record that is due at {@code from}, or in an earlier segment
     */
    public abstract int end(int from, DueRecord due);

    /**
     * The same from the first record on, of a file that was set aside: no number is known. In a new file zeros at the
     * end of its last record do not count.
     */
    public abstract int endOfAside();

    /**
     * Up to which offset all was stored because it was acknowledged, be it to be recognised or not: 0 in a new file,
     * where it is seen.
     *
     * @param position up to where the log was acknowledged
     */
    public abstract int endOfAcknowledged(long position);

    /** The seal, the last thing that was stored; null if there is none, or none that can be read. */
    abstract @Nullable FrameWalk seal();

    /** What is in this segment, which begins behind the place where a record is due. */
    public abstract Later later(DueRecord due);

    /**
     * What is in a segment behind the end of the log.
     *
     * @param synced the highest position that a frame there says was synced; -1 if there is no frame
     * @param isAny whether there is anything, to be asked if there is no frame: it may take as long again
     */
    public record Later(long synced, BooleanSupplier isAny) {}

    /**
     * The highest position that any valid frame from {@code offset} on says was synced, of those that can come behind
     * the record that is due; -1 if there is no such frame.
     */
    public final long highestSynced(int offset, DueRecord due) {
        int end = frames.endOfData(offset);
        long highest = -1;
        FrameWalk frame = walk(offset);
        boolean found = frame.search(end, due);
        while (found) {
            highest = Math.max(highest, frame.syncedPosition());
            found = frame.advanceOrSearch(end, due);
        }
        return highest;
    }

    /** Whether the place of the first frame's header holds anything: in every life of a file it is zero at first. */
    public final boolean hasFirstBytes() {
        return frames.segment().getLong(FIRST) != 0 || frames.segment().getLong(FIRST + Long.BYTES) != 0;
    }

    /**
     * Whether the header of the record that is due before this segment, or of a later one, was stored in it, be the
     * rest of the record whole or not. What an earlier life of the file has left does not count.
     */
    final boolean hasHeaders(DueRecord due) {
        return frames.endOfHeaders(FIRST, due) > FIRST;
    }

    final FrameWalk walk(int offset) {
        return new FrameWalk(frames, offset);
    }

    final int length() {
        return frames.segment().capacity();
    }

    /** The higher of {@code end} and the end of the last whole frame that begins in {@code [from, to)}. */
    final int endOfFrames(int from, int to, DueRecord due, int end) {
        int last = end;
        FrameWalk frame = walk(from);
        boolean found = frame.search(to, due);
        while (found) {
            last = Math.max(last, frame.end());
            found = frame.advanceOrSearch(to, due);
        }
        return Math.min(last, length()); // of a file that was cut short padding may be gone
    }

    /** All that is not zero was stored, and no frame begins among zeros. */
    private static final class OfNew extends StoredBytes {

        OfNew(FrameScanner frames) {
            super(frames);
        }

        @Override
        boolean isAny() {
            return hasFirstBytes() || frames.endOfData(FIRST) > FIRST;
        }

        @Override
        boolean isAny(DueRecord due) {
            return isAny();
        }

        @Override
        public FrameVerdict verdict(FrameWalk frame, long due) {
            return frame.verdict();
        }

        @Override
        public int end(int from, DueRecord due) {
            FrameWalk first = walk(from);
            int end = Math.max(first.isWhole() ? first.end() : from, frames.endOfData(from));
            return endOfFrames(from, end, due, end);
        }

        @Override
        public int endOfAside() {
            return frames.endOfData(FIRST);
        }

        @Override
        public int endOfAcknowledged(long position) {
            return 0;
        }

        @Override
        @Nullable
        FrameWalk seal() {
            int offset = Frame.aligned(frames.endOfData(FIRST)) - Frame.SEAL_LENGTH;
            FrameWalk seal = offset < FIRST ? null : walk(offset);
            return seal != null && seal.isWhole() && seal.isSeal() ? seal : null;
        }

        @Override
        public Later later(DueRecord due) {
            boolean isAny = isAny();
            return new Later(isAny ? highestSynced(FIRST, due) : -1, () -> isAny);
        }
    }

    /**
     * Whole frames were stored, and headers of records that are due: of a record whose header stays, the rest could
     * come to be there by what is written later, and it would be whole. What else is there may be old.
     */
    private static final class OfReused extends StoredBytes {

        OfReused(FrameScanner frames) {
            super(frames);
        }

        @Override
        boolean isAny() {
            return hasFirstBytes() || walk(FIRST).search(length(), 1, Long.MAX_VALUE - 1);
        }

        @Override
        boolean isAny(DueRecord due) {
            return isAny() || hasHeaders(due);
        }

        @Override
        public FrameVerdict verdict(FrameWalk frame, long due) {
            FrameVerdict verdict = frame.verdict();
            return isStored(frame, verdict, due) ? verdict : FrameVerdict.EMPTY;
        }

        private boolean isStored(FrameWalk frame, FrameVerdict verdict, long due) {
            return verdict == FrameVerdict.VALID || frames.hasHeaderOf(frame.offset(), due);
        }

        @Override
        public int end(int from, DueRecord due) {
            int end = Math.max(endOfFirst(walk(from), due), frames.endOfHeaders(from, due));
            return endOfFrames(from, length(), due, end);
        }

        /** A torn record ends where its length says, if that is possible. */
        private int endOfFirst(FrameWalk first, DueRecord due) {
            FrameVerdict verdict = first.verdict();
            if (!isStored(first, verdict, due.sequence())) {
                return first.offset();
            }
            boolean hasLength = verdict == FrameVerdict.VALID || verdict == FrameVerdict.BAD_CHECKSUM;
            return hasLength ? first.end() : first.offset() + Frame.HEADER_LENGTH;
        }

        @Override
        public int endOfAside() {
            return end(FIRST, new DueRecord(0, frames.basePosition() + FIRST, 0));
        }

        @Override
        public int endOfAcknowledged(long position) {
            return (int) Math.max(0, Math.min(position - frames.basePosition(), length()));
        }

        @Override
        @Nullable
        FrameWalk seal() {
            int found = frames.findSeal();
            return found < 0 ? null : walk(found);
        }

        @Override
        public Later later(DueRecord due) {
            return new Later(highestSynced(FIRST, due), () -> hasFirstBytes() || hasHeaders(due));
        }
    }
}
