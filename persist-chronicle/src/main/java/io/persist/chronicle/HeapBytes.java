package io.persist.chronicle;

import io.persist.codec.MessageOutput;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.ReadBytesMarshallable;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;

/**
 * Chronicle's view of an array on the heap, which grows and is used again and again. Nothing has to be freed.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class HeapBytes {

    private static final int INITIAL_LENGTH = 256;

    private final Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap(INITIAL_LENGTH);
    private byte[] scratch = new byte[INITIAL_LENGTH];

    /** One after the other may be used by several threads: the pool that lends this hands it over safely. */
    HeapBytes() {
        bytes.singleThreadedCheckDisabled(true);
    }

    /** Has {@code message} write itself, and copies that. */
    void write(WriteBytesMarshallable message, MessageOutput output) {
        bytes.clear();
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
        bytes.clear();
        bytes.write(scratch, 0, length);
        target.readMarshallable(bytes);
    }
}
