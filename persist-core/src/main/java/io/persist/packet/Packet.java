package io.persist.packet;

import static io.persist.format.PacketLayout.FLAGS_OFFSET;
import static io.persist.format.PacketLayout.FLAG_METADATA;
import static io.persist.format.PacketLayout.HEADER_LENGTH;
import static io.persist.format.PacketLayout.MESSAGE_COUNT_OFFSET;
import static io.persist.format.PacketLayout.MESSAGE_HEADER_LENGTH;
import static io.persist.format.PacketLayout.METADATA_LENGTH;
import static io.persist.format.PacketLayout.RESERVED_OFFSET;
import static io.persist.format.PacketLayout.VERSION;
import static io.persist.format.PacketLayout.VERSION_OFFSET;
import static io.persist.format.PacketLayout.aligned;

import io.persist.codec.Encoder;
import io.persist.codec.MessageOutput;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.memory.CheckedCopy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers messages, and metadata if wanted, which are appended as one record: the log has all of them or none. A packet
 * can be used again and again: {@link #clear} begins a new one. A {@code try} with it as its resource clears it in the
 * end, so that an exception leaves nothing in it.
 *
 * <p>If adding a message throws, that message is not in the packet, and the messages before it still are.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once the buffer has the size of the largest packet.
 */
public final class Packet implements AutoCloseable {

    /** What any segment holds; the log's own segments may hold less, which {@code append} checks. */
    private static final int MAX_LENGTH = Frame.maxPayload(SegmentHeader.MAX_SEGMENT_LENGTH);

    /** Messages always begin here. Without metadata the packet begins later, so that metadata can still be added. */
    private static final int MESSAGES = HEADER_LENGTH + METADATA_LENGTH;

    private static final int INITIAL_LENGTH = 512;

    private final PacketMetadata metadata = new PacketMetadata();
    private final CheckedCopy copy = new CheckedCopy();
    private ByteBuffer buffer = allocate(INITIAL_LENGTH);

    /** The view that callers get, so that they cannot move the limit of {@link #buffer}. */
    private ByteBuffer payload;

    private final UnaryOperator<ByteBuffer> views;

    private int start = METADATA_LENGTH;
    private int end = MESSAGES;
    private int messageCount;

    /** Whether something was added that is not on a log yet. */
    private boolean open;

    /** What encoders write to; null until there is one, and while it is in use. */
    private @Nullable MessageOutput output;

    private static ByteBuffer allocate(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A packet with no messages and no metadata. */
    public Packet() {
        this(ByteBuffer::duplicate);
    }

    /** One whose views {@code views} makes, as if there were no memory for them. */
    Packet(UnaryOperator<ByteBuffer> views) {
        this.views = views;
        this.payload = views.apply(buffer);
    }

    /** Begins a new packet: no messages, no metadata. */
    public Packet clear() {
        start = METADATA_LENGTH;
        end = MESSAGES;
        messageCount = 0;
        open = false;
        return this;
    }

    /** Forgets what is in it, as {@link #clear} does. */
    @Override
    public void close() {
        clear();
    }

    /**
     * Whether something was added since the packet was cleared or {@linkplain #appended appended} last. {@code
     * PacketLogger.packet()} does not clear such a packet.
     */
    public boolean isOpen() {
        return open;
    }

    /**
     * Says that all that is in it was appended, so that it is no longer {@linkplain #isOpen open}. {@code
     * PacketLogger.append} calls it; whoever has another log take the {@link #payload} does so too.
     */
    public void appended() {
        open = false;
    }

    /** The packet's metadata, valid until {@link #clear}. The first call adds it, with all fields 0. */
    public PacketMetadata metadata() {
        if (!hasMetadata()) {
            start = 0;
            for (int index = HEADER_LENGTH; index < MESSAGES; index += Long.BYTES) {
                buffer.putLong(index, 0);
            }
            metadata.wrap(buffer, start);
            open = true;
        }
        return metadata;
    }

    /** Whether the packet has a metadata block. */
    public boolean hasMetadata() {
        return start == 0;
    }

    /** Adds a message. */
    public Packet add(byte[] message) {
        return add(message, 0, message.length);
    }

    /** Adds {@code length} bytes of {@code source} from {@code offset} on as a message. */
    public Packet add(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        int index = prepare(length); // first, because it may replace the buffer
        buffer.put(index, source, offset, length);
        return accept(length);
    }

    /** Adds what remains of {@code source}, whose position stays as it is, as a message. */
    public Packet add(ByteBuffer source) {
        int length = source.remaining();
        int index = prepare(length);
        copy.copy(source, source.position(), buffer.array(), index, length);
        return accept(length);
    }

    /** Adds {@code length} bytes of {@code source} from {@code offset} on as a message. */
    public Packet add(DirectBuffer source, int offset, int length) {
        int index = prepare(length);
        source.boundsCheck(offset, length);
        copy.copy(source, offset, buffer.array(), index, length);
        return accept(length);
    }

    /** Adds {@code message} as {@code encoder} writes it. */
    public <T> Packet add(T message, Encoder<? super T> encoder) {
        MessageOutput encoded = output == null ? new MessageOutput() : output;
        output = null; // an encoder that adds something else gets another one
        boolean wasOpen = open;
        int before = messageCount;
        open = true; // while the encoder runs, which may ask for this packet
        try {
            int length = encoded.encode(message, encoder);
            return add(encoded.array(), 0, length);
        } finally {
            output = encoded;
            open = wasOpen || messageCount > before;
        }
    }

    /** Makes room for a message and puts what surrounds it; returns where it goes. Not yet part of the packet. */
    private int prepare(int length) {
        long newLength = (long) end - start + MESSAGE_HEADER_LENGTH + length;
        if (length < 0 || newLength > MAX_LENGTH - METADATA_LENGTH) {
            throw new IllegalArgumentException(
                    "message does not fit the packet: length=" + length + ", packet length with it=" + newLength
                            + ", max=" + (MAX_LENGTH - METADATA_LENGTH) + "; append the packet before it");
        }
        int newEnd = end + MESSAGE_HEADER_LENGTH + aligned(length);
        if (newEnd > buffer.capacity()) {
            grow(newEnd);
        }
        buffer.putInt(newEnd - Integer.BYTES, 0); // the padding; what of it is the message or its length comes after
        buffer.putInt(end, length);
        return end + MESSAGE_HEADER_LENGTH;
    }

    private Packet accept(int length) {
        end += MESSAGE_HEADER_LENGTH + aligned(length);
        messageCount++;
        open = true;
        return this;
    }

    private void grow(int newEnd) {
        ByteBuffer larger = allocate((int) Math.min(Integer.MAX_VALUE - Long.BYTES, Math.max(2L * end, newEnd)));
        ByteBuffer view = views.apply(larger); // before anything is changed: there may be no memory
        larger.put(0, buffer, 0, end);
        buffer = larger;
        payload = view;
        metadata.wrap(buffer, start);
    }

    /** Messages that were added. */
    public int messageCount() {
        return messageCount;
    }

    /** Whether there is neither a message nor metadata; such a packet cannot be appended. */
    public boolean isEmpty() {
        return messageCount == 0 && !hasMetadata();
    }

    /** Bytes of the packet as stored. */
    public int length() {
        return end - start;
    }

    /**
     * The packet as stored, from the buffer's position to its limit; little-endian. It is the packet's own memory: to
     * be read, until the packet is used again.
     */
    public ByteBuffer payload() {
        buffer.put(start + VERSION_OFFSET, VERSION);
        buffer.put(start + FLAGS_OFFSET, hasMetadata() ? FLAG_METADATA : 0);
        buffer.putShort(start + RESERVED_OFFSET, (short) 0);
        buffer.putInt(start + MESSAGE_COUNT_OFFSET, messageCount);
        return payload.limit(end).position(start).order(ByteOrder.LITTLE_ENDIAN);
    }
}
