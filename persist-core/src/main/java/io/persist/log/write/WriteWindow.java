package io.persist.log.write;

import io.persist.log.segment.Segment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory into which the appender puts frames: the mapped segment itself, or a buffer that is written to the file.
 * The byte at index {@code i} of the buffer belongs to offset {@code i + shift()} of the segment.
 *
 * <p><b>Threads:</b> the appender's.
 */
public abstract sealed class WriteWindow permits MappedWindow, BufferWindow {

    private @Nullable Segment segment;

    /** The segment that is being written. */
    final Segment segment() {
        Segment current = segment;
        if (current == null) {
            throw new AssertionError("no segment was entered");
        }
        return current;
    }

    /** Goes on at {@code offset} of {@code next}; all of the segment before has been flushed. */
    void enter(Segment next, int offset) {
        segment = next;
    }

    abstract ByteBuffer buffer();

    abstract int shift();

    /** The index that frames must not pass without {@link #makeAddressable}. */
    abstract int limit();

    /** Makes {@code length} bytes from the segment's {@code offset} on, which it has, addressable in the buffer. */
    abstract void makeAddressable(int offset, int length);

    /** Hands everything before {@code offset} to the operating system. */
    abstract void flush(int offset);

    /** The same, and returns when the device has it. */
    abstract void sync(int offset);
}
