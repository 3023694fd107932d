package io.persist.log.read;

import java.nio.ByteBuffer;

/**
 * What a {@link Tailer} tells of the record that it has read: where it is, its number, and its payload.
 *
 * <p><b>Threads:</b> one at a time, which is not checked. <b>Allocation:</b> none, but for the copy that {@link
 * #payload} and {@link #payloadBytes} return.
 */
public abstract sealed class RecordReader permits Tailer {

    private final FrameCursor cursor;

    RecordReader(FrameCursor cursor) {
        this.cursor = cursor;
    }

    /** What steps from record to record. */
    final FrameCursor cursor() {
        return cursor;
    }

    /** Throws an {@link IllegalStateException} if the reader is closed. */
    abstract void checkOpen();

    /**
     * Where the record begins that was read last, also after a {@link Tailer#next} that returned false, and after a
     * poll.
     *
     * @throws IllegalStateException if none was read yet
     */
    public long position() {
        return last().position();
    }

    /** Where the next record begins, or will begin. */
    public long nextPosition() {
        return cursor.nextPosition();
    }

    /** The number of the record that was read last, as {@link #position} has it; 1 for the first of the log. */
    public long sequence() {
        return last().sequence();
    }

    /** Whether the record that was read last begins a commit: it is the first after a commit, or after an opening. */
    public boolean startsCommit() {
        return last().startsCommit();
    }

    private FrameCursor last() {
        if (cursor.sequence() == 0) {
            throw new IllegalStateException(
                    "the tailer has read no record: call next first, and look at what it returns");
        }
        return cursor;
    }

    /**
     * The current record in a buffer of its own, from position to limit; little-endian, read-only. It never changes.
     *
     * @throws IllegalStateException if the last {@link Tailer#next} has not returned true: then there is no current
     *     record
     */
    public ByteBuffer payload() {
        return current().payload().copy();
    }

    /** The current record in an array of its own. */
    public byte[] payloadBytes() {
        return current().payload().bytes();
    }

    /**
     * As {@link #payload}, without allocation: the tailer has one buffer, which has the record only until the tailer is
     * used again. Then the buffer is empty, or has another record. {@link Tailer#close} leaves it as it is.
     */
    public ByteBuffer payloadUntilNext() {
        return current().payload().view();
    }

    private FrameCursor current() {
        checkOpen();
        if (!cursor.isOnRecord()) {
            throw new IllegalStateException("the tailer is on no record: call next first, and look at what it returns");
        }
        return cursor;
    }
}
