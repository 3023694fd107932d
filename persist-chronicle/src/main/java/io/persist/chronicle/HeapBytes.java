package io.persist.chronicle;

import io.persist.codec.MessageOutput;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.ReadBytesMarshallable;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;

/**
 * Chronicle's view of an array on the heap, which grows and is used again and again. Nothing has to be freed.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class HeapBytes {

    private static final int INITIAL_LENGTH = 256;

    private final ZeroedBytes bytes = ZeroedBytes.make();
    private byte[] scratch = new byte[INITIAL_LENGTH];

    /** Whether the next object can use this. */
    boolean isUsable() {
        return !bytes.isReleased();
    }

    /** Has {@code message} write itself, and copies that. */
    void write(WriteBytesMarshallable message, MessageOutput output) {
        bytes.renew();
        message.writeMarshallable(bytes);
        int length = Math.toIntExact(bytes.readRemaining());
        int start = output.length();
        output.extend(length);
        bytes.read(output.array(), start, length);
    }

    /** Copies what remains of {@code payload}, and has {@code target} read itself from that. */
    void read(ByteBuffer payload, ReadBytesMarshallable target) {
        int length = payload.remaining();
        if (length > scratch.length) {
            scratch = new byte[length];
        }
        payload.get(payload.position(), scratch, 0, length);
        bytes.renew();
        bytes.write(scratch, 0, length);
        bytes.writeLimit(length); // chronicle holds reads at an offset to this, and else reads memory of anything
        target.readMarshallable(bytes);
    }
}
