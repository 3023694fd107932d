package io.persist.memory;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;

/**
 * Copies bytes of a caller's buffer, and says here if they cannot be read. The JVM may say it later, in code that has
 * nothing to do with the buffer: see {@link MissingPage}.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none but in the constructor, and of errors.
 */
public final class CheckedCopy {

    private final PageProbe probe = new PageProbe();

    /**
     * Copies {@code length} bytes of {@code source} from {@code from} on to {@code target}, from {@code to} on.
     *
     * @throws IllegalArgumentException if they are mapped from a file that was cut, or whose device is gone
     * @throws InternalError if that is so of an earlier access of this thread, which the JVM has not told yet
     */
    public void copy(ByteBuffer source, int from, byte[] target, int to, int length) {
        try {
            source.get(from, target, to, length);
            probe.checkRange(source, from, from + length);
        } catch (InternalError late) {
            MissingPage.dropHeld();
            if (isThere(source, from, length)) {
                throw late; // it was of an earlier access
            }
            throw unreadable(from, length, late);
        }
    }

    /** The same of memory that may have no buffer. */
    public void copy(DirectBuffer source, int offset, byte[] target, int to, int length) {
        ByteBuffer bytes = source.byteBuffer();
        int from = source.wrapAdjustment() + offset;
        if (source.byteArray() != null) {
            source.getBytes(offset, target, to, length);
        } else if (bytes != null && from + length <= bytes.limit()) {
            copy(bytes, from, target, to, length);
        } else {
            copyAddress(source, offset, target, to, length);
        }
    }

    private static void copyAddress(DirectBuffer source, int offset, byte[] target, int to, int length) {
        MissingPage.check(); // of an earlier access: what is to be copied may be what that has read
        try {
            source.getBytes(offset, target, to, length);
            MissingPage.check();
        } catch (InternalError late) {
            throw unreadable(offset, length, late);
        }
    }

    private static IllegalArgumentException unreadable(int from, int length, InternalError late) {
        return new IllegalArgumentException(
                "source cannot be read: position=" + from + ", length=" + length
                        + "; if it is mapped, its file was cut or its device is gone; nothing of it was appended",
                late);
    }

    private boolean isThere(ByteBuffer source, int from, int length) {
        try {
            probe.checkRange(source, from, from + length);
            return true;
        } catch (InternalError gone) {
            return false;
        }
    }
}
