package io.persist.chronicle;

import io.persist.codec.Decoder;
import io.persist.codec.Encoder;
import io.persist.codec.MessageOutput;
import io.persist.codec.Pool;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.ReadBytesMarshallable;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;

/**
 * Writes objects of chronicle-bytes as they write themselves, and has them read themselves.
 *
 * <pre>{@code
 * ChronicleCodec codec = new ChronicleCodec();
 * logger.append(order, codec);
 * codec.decode(tailer.payload(), order);
 * store.get(key, codec.into(order));
 * }</pre>
 *
 * <p>No object sees what another one has written or set: what it skips is 0. That is so as long as objects use the
 * methods of the bytes that they are given, and not those of their {@code bytesStore()}, or the array behind it.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none but the objects' own, once a few buffers have the length of the
 * longest object. chronicle's classes are loaded when the first codec is made.
 */
public final class ChronicleCodec implements Encoder<WriteBytesMarshallable> {

    private final Pool<HeapBytes> buffers = new Pool<>(HeapBytes::new);

    /** A codec; one is enough for a process. */
    public ChronicleCodec() {
        giveBack(buffers.take()); // chronicle's classes are loaded here, and not in the first append
    }

    @Override
    public void encode(WriteBytesMarshallable message, MessageOutput output) {
        HeapBytes buffer = buffers.take();
        try {
            buffer.write(message, output);
        } finally {
            giveBack(buffer);
        }
    }

    /**
     * Has {@code target} read itself from what remains of {@code payload}, which stays as it is. A read beyond that, at
     * the position or at an offset, throws a {@link java.nio.BufferUnderflowException}. But chronicle trusts lengths
     * that stand in a payload, as {@code read8bit} does: decode only what such an object has written.
     */
    public void decode(ByteBuffer payload, ReadBytesMarshallable target) {
        HeapBytes buffer = buffers.take();
        try {
            buffer.read(payload, target);
        } finally {
            giveBack(buffer);
        }
    }

    private void giveBack(HeapBytes buffer) {
        if (buffer.isUsable()) {
            buffers.giveBack(buffer);
        }
    }

    /** A decoder that reads {@code target} each time and returns it; to be made once for each target. */
    public <T extends ReadBytesMarshallable> Decoder<T> into(T target) {
        return payload -> {
            decode(payload, target);
            return target;
        };
    }
}
