package io.persist.detached;

import io.persist.memory.MissingPage;
import io.persist.memory.PageProbe;
import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;

/**
 * A copy of a buffer that is not an array, made before the queue has an entry for it.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none, but for records of more than 16 KiB, whose memory is not
 * kept.
 */
final class SourceCopy {

    private final ReusedBuffer memory = new ReusedBuffer();
    private final PageProbe probe = new PageProbe();

    /**
     * {@code length} bytes of {@code source} from {@code from} on, at the start of an array.
     *
     * @throws IllegalArgumentException if they are mapped from a file that was cut
     */
    byte[] of(ByteBuffer source, int from, int length) {
        ByteBuffer copy = memory.ofLength(length);
        try {
            copy.put(0, source, from, length);
            probe.checkRange(source, from, from + length); // here, and not when the queue has an entry for it
        } catch (InternalError late) {
            MissingPage.settle();
            if (isThere(source, from, length)) {
                throw late; // it was of an earlier access
            }
            throw unreadable(from, length, late);
        }
        return copy.array();
    }

    /** The same of memory that may have no buffer. */
    byte[] of(DirectBuffer source, int offset, int length) {
        ByteBuffer bytes = source.byteBuffer();
        int from = source.wrapAdjustment() + offset;
        if (bytes != null && from + length <= bytes.limit()) {
            return of(bytes, from, length);
        }
        MissingPage.settle(); // of an earlier access
        byte[] copy = memory.ofLength(length).array();
        try {
            source.getBytes(offset, copy, 0, length);
            MissingPage.check();
        } catch (InternalError late) {
            throw unreadable(offset, length, late);
        }
        return copy;
    }

    private static IllegalArgumentException unreadable(int from, int length, InternalError late) {
        return new IllegalArgumentException(
                "source cannot be read: position=" + from + ", length=" + length
                        + "; if it is mapped, its file was cut or its device is gone; the record was not appended",
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

    /** It is not needed for now. */
    void rest() {
        memory.rest(DetachedClaim.KEPT_LENGTH);
    }
}
