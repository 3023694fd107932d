package io.persist.codec;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.ReadBytesMarshallable;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;

/**
 * Turns objects into records and back, by chronicle-bytes over one array that is used again and again.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once the array has the size of the largest object.
 */
public final class ObjectCodec {

    private static final int INITIAL_LENGTH = 256;

    private final Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap(INITIAL_LENGTH);
    private byte[] scratch = new byte[INITIAL_LENGTH];

    /** Writes {@code object} into {@link #array()} from its start; returns the object's length in bytes. */
    public int encode(WriteBytesMarshallable object) {
        bytes.clear();
        object.writeMarshallable(bytes);
        int length = (int) bytes.readRemaining();
        if (length > scratch.length) {
            scratch = new byte[length];
        }
        bytes.read(scratch, 0, length);
        return length;
    }

    /** The last encoded object, and anything behind it; another array once an object does not fit. */
    public byte[] array() {
        return scratch;
    }

    /**
     * Reads {@code object} from a record, the payload of a {@link io.persist.log.Tailer}; leaves the payload as it is.
     */
    public void decode(ByteBuffer payload, ReadBytesMarshallable object) {
        int length = payload.remaining();
        if (length > scratch.length) {
            scratch = new byte[length];
        }
        payload.get(payload.position(), scratch, 0, length);
        bytes.clear();
        bytes.write(scratch, 0, length);
        object.readMarshallable(bytes);
    }
}
