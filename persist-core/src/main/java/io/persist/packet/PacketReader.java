package io.persist.packet;

import static io.persist.format.PacketLayout.FLAGS_OFFSET;
import static io.persist.format.PacketLayout.FLAG_METADATA;
import static io.persist.format.PacketLayout.HEADER_LENGTH;
import static io.persist.format.PacketLayout.MESSAGE_COUNT_OFFSET;
import static io.persist.format.PacketLayout.MESSAGE_HEADER_LENGTH;
import static io.persist.format.PacketLayout.METADATA_LENGTH;
import static io.persist.format.PacketLayout.VERSION;
import static io.persist.format.PacketLayout.VERSION_OFFSET;
import static io.persist.format.PacketLayout.aligned;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads packets. A packet is checked as a whole before its first message is shown.
 *
 * <pre>{@code
 * reader.wrap(tailer.payload(), tailer.position());
 * while (reader.nextMessage()) {
 *     handle(reader.message());
 * }
 * }</pre>
 *
 * <p>The packet itself is not copied. With {@link io.persist.log.read.Tailer#payloadUntilNext} the reader allocates
 * nothing, and is valid until the tailer is used again; with {@code payload()} it stays valid.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> two views for each new buffer that is wrapped, which {@code
 * payloadUntilNext()} has about once per segment; {@link #message} and {@link #messageBytes} allocate the copy that
 * they return.
 */
public final class PacketReader {

    private static final long UNKNOWN = -1;
    private static final int NO_MESSAGE = -1;

    private final PacketMetadata metadata = new PacketMetadata();

    /** The buffer that was wrapped, of which the others are views. */
    private ByteBuffer source = ByteBuffer.allocate(0);

    /** All of it, so that a checked index stays within the bounds, whatever the caller does with its own buffer. */
    private ByteBuffer bytes = source;

    private ByteBuffer message = source;
    private long position;
    private int start;
    private int next;
    private int end;
    private int messageCount;
    private int remaining;
    private int messageStart = NO_MESSAGE;
    private int messageEnd;
    private boolean hasPacket;
    private boolean hasMetadata;

    /** A reader that has no packet yet. */
    public PacketReader() {}

    /** Reads the packet from the position to the limit of {@code payload}, as {@link #wrap(ByteBuffer, long)} does. */
    public PacketReader wrap(ByteBuffer payload) {
        return wrap(payload, UNKNOWN);
    }

    /**
     * Reads the packet from the position to the limit of {@code payload}, both of which stay as they are.
     *
     * @param recordPosition where its record begins, for the message of an error; -1 if that is not known
     * @throws CorruptLogException if the payload is no packet; then the reader has none
     * @throws UnsupportedFormatException if a newer version wrote it
     */
    public PacketReader wrap(ByteBuffer payload, long recordPosition) {
        look(payload);
        position = recordPosition;
        start = payload.position();
        end = payload.limit();
        messageCount = 0;
        remaining = 0;
        hasPacket = false;
        hasMetadata = false;
        endMessage();
        check();
        return this;
    }

    /** There is no current message. A buffer that was given out before is empty. */
    private void endMessage() {
        messageStart = NO_MESSAGE;
        message.limit(0);
    }

    /** Without this a caller would take an empty message for one of the packet. */
    private void checkOnMessage() {
        if (messageStart == NO_MESSAGE) {
            throw new IllegalStateException(
                    "the reader is on no message: call nextMessage first, and look at what it returns");
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same buffer has the same memory, whatever is in it now
    private void look(ByteBuffer payload) {
        if (payload != source) {
            source = payload;
            bytes = payload.asReadOnlyBuffer().clear().order(ByteOrder.LITTLE_ENDIAN);
            message = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private void check() {
        if (end - start < HEADER_LENGTH) {
            throw malformed(start, "no room for its header");
        }
        int version = bytes.get(start + VERSION_OFFSET) & 0xFF;
        int flags = bytes.get(start + FLAGS_OFFSET) & 0xFF;
        if (version == 0) {
            throw malformed(start, "its version is 0");
        }
        if (version != VERSION || (flags & ~FLAG_METADATA) != 0) {
            throw UnsupportedFormatException.newer(
                    "",
                    "unsupported packet format: version=" + version + ", flags=" + flags + ", supported version="
                            + VERSION + ", position=" + position
                            + "; read it with the version of Persist that wrote it");
        }
        boolean metadataFollows = (flags & FLAG_METADATA) != 0;
        int first = start + HEADER_LENGTH + (metadataFollows ? METADATA_LENGTH : 0);
        int count = bytes.getInt(start + MESSAGE_COUNT_OFFSET);
        if (first > end) {
            throw malformed(start, "no room for its metadata");
        }
        if (count < 0) {
            throw malformed(start, "its message count is " + count);
        }
        int at = first;
        for (int i = 0; i < count; i++) {
            at += MESSAGE_HEADER_LENGTH + aligned(messageLength(at));
        }
        if (at != end) {
            throw malformed(at, "it does not end with its last message");
        }
        next = first;
        messageCount = count;
        remaining = count;
        hasPacket = true;
        hasMetadata = metadataFollows;
    }

    /** The length of the message at {@code at}, which ends within the packet; its padding may not. */
    private int messageLength(int at) {
        int space = end - at - MESSAGE_HEADER_LENGTH;
        if (space < 0) {
            throw malformed(at, "no room for the length of a message");
        }
        int length = bytes.getInt(at);
        if (length < 0 || length > space) {
            throw malformed(at, "no room for a message: length=" + length);
        }
        return length;
    }

    private CorruptLogException malformed(int at, String what) {
        return new CorruptLogException(
                "record",
                position,
                "malformed packet: " + what + ", packet length=" + (end - start) + ", offset in it=" + (at - start),
                "the record was not written as a packet: read it with the codec that wrote it");
    }

    /** Whether the packet has a metadata block. */
    public boolean hasMetadata() {
        return hasMetadata;
    }

    /**
     * The packet's metadata, to be read.
     *
     * @throws IllegalStateException if it has none, or there is no packet
     */
    public PacketMetadata metadata() {
        if (!hasPacket) {
            throw new IllegalStateException("the reader has no packet: call wrap first");
        }
        if (!hasMetadata) {
            throw new IllegalStateException("packet has no metadata; ask hasMetadata() before");
        }
        metadata.wrap(bytes, start);
        return metadata;
    }

    /** How many messages the packet has; may be 0 if it has metadata. */
    public int messageCount() {
        return messageCount;
    }

    /**
     * Moves to the next message.
     *
     * @return whether there is one
     * @throws CorruptLogException if the payload has changed since it was wrapped, because the tailer was used
     */
    public boolean nextMessage() {
        if (remaining == 0) {
            endMessage();
            return false;
        }
        int index = next + MESSAGE_HEADER_LENGTH;
        int length = messageLength(next);
        messageStart = index;
        messageEnd = index + length;
        next = index + aligned(length);
        remaining--;
        return true;
    }

    /**
     * The current message in a buffer of its own, from position to limit; little-endian, read-only. It never changes.
     *
     * @throws IllegalStateException if the last {@link #nextMessage} has not returned true: there is no message then
     */
    public ByteBuffer message() {
        return ByteBuffer.wrap(messageBytes()).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The current message in an array of its own. */
    public byte[] messageBytes() {
        checkOnMessage();
        byte[] copy = new byte[messageEnd - messageStart];
        bytes.get(messageStart, copy);
        return copy;
    }

    /**
     * As {@link #message}, without allocation: the reader has one buffer, which has the message only until {@link
     * #nextMessage}, and only as long as the wrapped payload does not change.
     */
    public ByteBuffer messageUntilNext() {
        checkOnMessage();
        return message.limit(messageEnd).position(messageStart).order(ByteOrder.LITTLE_ENDIAN);
    }
}
