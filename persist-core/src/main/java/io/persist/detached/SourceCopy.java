package io.persist.detached;

import io.persist.memory.MissingPage;
import io.persist.memory.PageProbe;
import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;

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
     * The next {@code length} bytes of {@code source}, at the start of an array.
     *
     * @throws IllegalArgumentException if they are mapped from a file that was cut
     */
    byte[] of(ByteBuffer source, int length) {
        ByteBuffer copy = memory.ofLength(length);
        int from = source.position();
        try {
            copy.put(0, source, from, length);
            probe.checkRange(source, from, from + length); // here, and not when the queue has an entry for it
        } catch (InternalError late) {
            MissingPage.settle();
            if (isThere(source, from, length)) {
                throw late; // it was of an earlier access
            }
            throw new IllegalArgumentException(
                    "source cannot be read: position=" + from + ", length=" + length
                            + "; if it is mapped, its file was cut or its device is gone; the record was not appended",
                    late);
        }
        return copy.array();
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
