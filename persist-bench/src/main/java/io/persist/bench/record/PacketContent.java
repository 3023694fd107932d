package io.persist.bench.record;

import io.persist.format.PacketLayout;
import io.persist.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * The packets of a run, each of which can be made again from its index: so many of the messages, and metadata if
 * wanted.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none in {@link #fill}.
 */
public final class PacketContent {

    private final Messages messages;
    private final int messagesPerPacket;
    private final @Nullable MetadataPattern metadata;

    public PacketContent(Messages messages, int messagesPerPacket, @Nullable MetadataPattern metadata) {
        this.messages = messages;
        this.messagesPerPacket = messagesPerPacket;
        this.metadata = metadata;
    }

    /** The same packets, for another thread. */
    public PacketContent copy() {
        return new PacketContent(messages.copy(), messagesPerPacket, metadata);
    }

    Messages messages() {
        return messages;
    }

    int messagesPerPacket() {
        return messagesPerPacket;
    }

    /** Of the metadata, or null if packets have none. */
    @Nullable
    public MetadataPattern metadata() {
        return metadata;
    }

    /** Adds to an empty packet what the packet of this index holds. */
    public void fill(Packet packet, long index) {
        if (metadata != null) {
            metadata.fill(packet.metadata(), index);
        }
        long first = index * messagesPerPacket;
        for (int i = 0; i < messagesPerPacket; i++) {
            packet.add(messages.message(first + i));
        }
    }

    /** Bytes of the longest packet. */
    public long maxLength() {
        return length(PacketLayout.aligned(messages.maxLength()));
    }

    public double averageLength() {
        // The padding is half of what it is at most, and a little more.
        return length(Math.round(messages.averageLength() + PacketLayout.ALIGNMENT / 2.0));
    }

    private long length(long messageLength) {
        return PacketLayout.HEADER_LENGTH
                + (metadata == null ? 0 : PacketLayout.METADATA_LENGTH)
                + messagesPerPacket * (PacketLayout.MESSAGE_HEADER_LENGTH + messageLength);
    }
}
