package io.persist.store.state;

import java.util.Arrays;

/** How many bytes of each segment were needed at one moment. Immutable. */
public final class SegmentBytes {

    private final long[] bases;
    private final long[] bytes;

    /** {@code bytes} are those of the segments that begin at {@code bases}. It takes both arrays. */
    public SegmentBytes(long[] bases, long[] bytes) {
        this.bases = bases;
        this.bytes = bytes;
    }

    /** How many segments there were. */
    public int count() {
        return bases.length;
    }

    /** Where in the log a segment begins. */
    public long base(int index) {
        return bases[index];
    }

    /** Bytes of entries that are some key's value. */
    public long bytes(int index) {
        return bytes[index];
    }

    @Override
    public String toString() {
        return "bases=" + Arrays.toString(bases) + ", bytes=" + Arrays.toString(bytes);
    }
}
