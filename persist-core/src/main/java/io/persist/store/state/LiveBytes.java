package io.persist.store.state;

import java.util.Arrays;

/**
 * How much of each segment is still needed: the bytes of the entries that hold the current value of a key. Compaction
 * decides by it.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none but when a segment is added.
 */
public final class LiveBytes {

    /** In place of a number: nobody has looked. */
    public static final long UNKNOWN = -1;

    private static final int INITIAL_SEGMENTS = 64;

    private long[] bases = new long[INITIAL_SEGMENTS];
    private long[] ends = new long[INITIAL_SEGMENTS];
    private long[] bytes = new long[INITIAL_SEGMENTS];

    /** Of each segment, behind what has replaced its last needed entry, if none is left. */
    private long[] emptySince = new long[INITIAL_SEGMENTS];

    /** Of each segment, what {@link #unfilled(long, long)} was told. */
    private long[] unfilled = new long[INITIAL_SEGMENTS];

    private int count;
    private long total;
    private long unpackable;
    private long space;
    private long lost;
    private int placeholders;
    private long appliedEnd;

    /** Adds a segment, which lies behind all others. */
    public void addSegment(long base, long end) {
        if (count > 0 && base < ends[count - 1]) {
            throw new IllegalArgumentException("base=" + base + ", min=" + ends[count - 1]);
        }
        if (count == bases.length) {
            bases = Arrays.copyOf(bases, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            bytes = Arrays.copyOf(bytes, 2 * count);
            emptySince = Arrays.copyOf(emptySince, 2 * count);
            unfilled = Arrays.copyOf(unfilled, 2 * count);
        }
        bases[count] = base;
        ends[count] = end;
        bytes[count] = 0;
        emptySince[count] = appliedEnd;
        unfilled[count] = UNKNOWN;
        count++;
        space += end - base;
    }

    /** Takes a segment out, because its records are gone. */
    public void removeSegment(long base) {
        int index = indexOf(base);
        space -= ends[index] - bases[index];
        change(index, -bytes[index]);
        System.arraycopy(bases, index + 1, bases, index, count - index - 1);
        System.arraycopy(ends, index + 1, ends, index, count - index - 1);
        System.arraycopy(bytes, index + 1, bytes, index, count - index - 1);
        System.arraycopy(emptySince, index + 1, emptySince, index, count - index - 1);
        System.arraycopy(unfilled, index + 1, unfilled, index, count - index - 1);
        count--;
        placeholders++;
    }

    /** A segment was found without its records. */
    public void addPlaceholder() {
        placeholders++;
    }

    /** Counts {@code number} placeholders less, because their files are gone. */
    public void removePlaceholders(int number) {
        placeholders -= number;
    }

    /** Segments without records, which are there only so that the log has no hole. */
    public int placeholders() {
        return placeholders;
    }

    /** The position right after the last segment, 0 if there is none. */
    public long end() {
        return count == 0 ? 0 : ends[count - 1];
    }

    /** Of each segment, as it is now. */
    public SegmentBytes copy() {
        return new SegmentBytes(Arrays.copyOf(bases, count), Arrays.copyOf(bytes, count));
    }

    /** What was needed when the copy was made is needed. */
    public void addAll(SegmentBytes copy) {
        for (int i = 0; i < copy.count(); i++) {
            add(copy.base(i), copy.bytes(i));
        }
    }

    /** An entry at {@code position} is needed. */
    void add(long position, long length) {
        int index = find(position);
        if (index < 0) {
            lost += length;
        } else {
            change(index, length);
        }
    }

    /** It is not needed any more. */
    void subtract(long position, long length) {
        int index = find(position);
        if (index < 0) {
            lost -= length;
        } else {
            change(index, -length);
            if (bytes[index] == 0) {
                emptySince[index] = appliedEnd;
            }
        }
    }

    private void change(int index, long length) {
        unpackable -= unpackable(index);
        bytes[index] += length;
        total += length;
        unpackable += unpackable(index);
    }

    /** What is unfilled belongs to what the segment is filled with: to the part that is needed as much of it. */
    private long unpackable(int index) {
        if (unfilled[index] <= 0) {
            return 0;
        }
        long filled = ends[index] - bases[index] - unfilled[index];
        return Math.max(0, Math.min(bytes[index], filled)) * unfilled[index] / filled;
    }

    /**
     * So many bytes of the segment at {@code base} have no record, and would have none if its values were packed anew:
     * they are too long for that. It is sealed, so it stays so.
     */
    public void unfilled(long base, long length) {
        int index = indexOf(base);
        unpackable -= unpackable(index);
        unfilled[index] = length;
        unpackable += unpackable(index);
    }

    /** The same of the segment number {@code index}; {@link #UNKNOWN} if it was not told. */
    public long unfilled(int index) {
        return unfilled[index];
    }

    /** Bytes at the ends of segments that what is needed takes besides, however it is packed: as far as is known. */
    public long unpackable() {
        return unpackable;
    }

    /**
     * How many bytes are needed that lie in no segment. A checkpoint may have some, whose values were moved since; the
     * log after it says where to.
     */
    public long lost() {
        return lost;
    }

    /** All that was subtracted up to now was replaced by what ends at {@code end} of the log, or before. */
    public void begin(long end) {
        appliedEnd = end;
        Arrays.fill(emptySince, 0, count, end);
    }

    /** What is subtracted from now on is replaced by what ends at {@code end} of the log, or before. */
    public void appliedEnd(long end) {
        appliedEnd = end;
    }

    /** Of the segment number {@code index}, if it is empty: what has replaced its entries ends here, or before. */
    public long emptySince(int index) {
        return emptySince[index];
    }

    /** The index of the segment in which {@code position} lies. */
    public int indexOf(long position) {
        int index = find(position);
        if (index < 0) {
            throw new IllegalArgumentException("no segment has position=" + position);
        }
        return index;
    }

    /** The base of the segment in which {@code position} lies; -1 if there is none. */
    long baseOf(long position) {
        int index = find(position);
        return index < 0 ? -1 : bases[index];
    }

    private int find(long position) {
        int last = count - 1;
        if (last >= 0 && position >= bases[last]) {
            return position < ends[last] ? last : -1;
        }
        int index = Arrays.binarySearch(bases, 0, count, position);
        index = index >= 0 ? index : -index - 2;
        return index >= 0 && position < ends[index] ? index : -1;
    }

    /** How many segments there are, placeholders not counted. */
    public int segments() {
        return count;
    }

    /** The base position of the segment with this index, 0 being the oldest. */
    public long base(int index) {
        return bases[index];
    }

    /** The position after the last byte of the segment with this index. */
    public long end(int index) {
        return ends[index];
    }

    /** Live bytes of the segment number {@code index}, the oldest one being 0. */
    public long live(int index) {
        return bytes[index];
    }

    /** Live bytes of all segments. */
    public long total() {
        return total;
    }

    /** Bytes of all segments that are here. */
    public long space() {
        return space;
    }
}
