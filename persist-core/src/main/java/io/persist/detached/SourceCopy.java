package io.persist.detached;

import io.persist.memory.CheckedCopy;
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
    private final CheckedCopy copy = new CheckedCopy();

    /**
     * {@code length} bytes of {@code source} from {@code from} on, at the start of an array.
     *
     * @throws IllegalArgumentException if they are mapped from a file that was cut
     */
    byte[] of(ByteBuffer source, int from, int length) {
        byte[] target = memory.ofLength(length).array();
        copy.copy(source, from, target, 0, length);
        return target;
    }

    /** The same of memory that may have no buffer. */
    byte[] of(DirectBuffer source, int offset, int length) {
        byte[] target = memory.ofLength(length).array();
        copy.copy(source, offset, target, 0, length);
        return target;
    }

    /** It is not needed for now. */
    void shrink() {
        memory.shrink(DetachedClaim.KEPT_LENGTH);
    }
}
