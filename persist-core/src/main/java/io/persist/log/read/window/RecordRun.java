package io.persist.log.read.window;

import io.persist.format.Frame;
import java.nio.ByteBuffer;

/**
 * Records of one segment that were verified together, one behind the other, and which of them is the next. What has to
 * be known of each was read when it was verified: the reader takes them without another look at their frames.
 *
 * <p><b>Threads:</b> its tailer's. <b>Allocation:</b> none but in the constructor.
 */
public final class RecordRun {

    /** As many of the shortest frames as are verified at once, and some more. */
    private static final int MOST = 384;

    private static final int FLAGS_SHIFT = Integer.SIZE;

    /** Of each record the length of its frame, and its flags above that. */
    private final long[] frames = new long[MOST];

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int count;
    private int next;
    private long position;
    private long sequence;
    private int index;

    /** Begins a run with no records, the first of which will be {@code firstSequence} at {@code firstPosition}. */
    void begin(ByteBuffer source, int firstIndex, long firstPosition, long firstSequence) {
        buffer = source;
        index = firstIndex;
        position = firstPosition;
        sequence = firstSequence;
        clear();
    }

    /** Adds the record behind those that are there; false if there is no place for it. */
    boolean add(int length, byte flags) {
        if (count == MOST) {
            return false;
        }
        frames[count++] = (flags & 0xFFL) << FLAGS_SHIFT | length;
        return true;
    }

    /** The number of the record that is added next. */
    long nextAdded() {
        return sequence + count;
    }

    /** Forgets all. */
    void clear() {
        count = 0;
        next = 0;
    }

    /** Whether record {@code number} at {@code place} is the next one. */
    public boolean isNext(long place, long number) {
        return next < count && place == position && number == sequence;
    }

    /** The memory in which the records are. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Where the next record's frame begins in {@link #buffer}. */
    public int index() {
        return index;
    }

    /** The length of its frame, bytes, without the padding. */
    public int length() {
        return (int) frames[next];
    }

    /** Its flags. */
    public byte flags() {
        return (byte) (frames[next] >>> FLAGS_SHIFT);
    }

    /** The one behind it is the next one. */
    public void advance() {
        int aligned = Frame.aligned(length());
        next++;
        position += aligned;
        sequence++;
        index += aligned;
    }
}
