package io.persist.bench.record;

import io.persist.command.Text;
import io.persist.packet.PacketReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Records of one packet each. */
public final class PacketRecords implements Records {

    private final PacketContent content;
    private final PacketReader reader = new PacketReader();

    /** @param content of {@link NumberedMessages} if there were several producers */
    public PacketRecords(PacketContent content) {
        this.content = content;
    }

    @Override
    public String noun() {
        return "packet";
    }

    @Override
    public long index(ByteBuffer payload) {
        reader.wrap(payload);
        if (!reader.nextMessage() || reader.messageUntilNext().remaining() < NumberedMessages.NUMBER_LENGTH) {
            return -1;
        }
        return NumberedMessages.number(reader.messageUntilNext()) / content.messagesPerPacket();
    }

    @Override
    public @Nullable String difference(ByteBuffer payload, long index) {
        reader.wrap(payload);
        MetadataPattern pattern = content.metadata();
        if (reader.hasMetadata() != (pattern != null)) {
            return reader.hasMetadata() ? "has metadata, but none was written" : "has lost its metadata";
        }
        String difference = pattern == null ? null : pattern.difference(reader.metadata(), index);
        return difference != null ? difference : messageDifference(index);
    }

    private @Nullable String messageDifference(long index) {
        int count = content.messagesPerPacket();
        if (reader.messageCount() != count) {
            return "has " + Text.number(reader.messageCount(), "message") + ", but " + count + " were written";
        }
        for (int i = 0; i < count; i++) {
            reader.nextMessage();
            String difference = MessageRecords.difference(
                    reader.messageUntilNext(), content.messages().message(index * count + i));
            if (difference != null) {
                return "has message " + (i + 1) + ", which " + difference;
            }
        }
        return null;
    }
}
