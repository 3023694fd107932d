package io.persist.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Packets whose bytes follow from a seed, so that whoever reads one can tell a wrong one. */
public final class Packets {

    private static final int MAX_MESSAGES = 6;
    private static final int MAX_LENGTH = 120;

    private Packets() {}

    /** Makes {@code packet} the one of {@code seed}, which is not empty. */
    public static Packet fill(Packet packet, long seed) {
        Random random = new Random(seed);
        List<byte[]> messages = messages(random);
        int metadataAt = metadataAt(random, messages);
        packet.clear();
        for (int i = 0; i < messages.size(); i++) {
            if (i == metadataAt) {
                fill(packet.metadata(), seed);
            }
            packet.add(messages.get(i));
        }
        if (metadataAt == messages.size()) {
            fill(packet.metadata(), seed);
        }
        return packet;
    }

    /** Before which of the messages the metadata is added; in about half of the packets it is not. */
    private static int metadataAt(Random random, List<byte[]> messages) {
        return messages.isEmpty() ? 0 : random.nextInt(2 * messages.size() + 1);
    }

    private static List<byte[]> messages(Random random) {
        List<byte[]> messages = new ArrayList<>();
        for (int i = random.nextInt(MAX_MESSAGES + 1); i > 0; i--) {
            byte[] message = new byte[random.nextInt(MAX_LENGTH)];
            random.nextBytes(message);
            messages.add(message);
        }
        return messages;
    }

    private static void fill(PacketMetadata metadata, long seed) {
        metadata.operation(PacketOperation.values()[(int) Long.remainderUnsigned(seed, 5)])
                .type((int) seed)
                .objectId(~seed, seed)
                .transactionId(seed + 1)
                .stableTransactionId(seed + 2)
                .inSequence(seed + 3)
                .outSequence(seed + 4)
                .checkpoint(seed + 5);
    }

    /** The packet of {@code seed} as stored. */
    public static byte[] bytes(long seed) {
        return bytes(fill(new Packet(), seed));
    }

    public static byte[] bytes(Packet packet) {
        return bytes(packet.payload());
    }

    /** What remains of {@code buffer}, whose position stays as it is. */
    public static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    /** The messages that the reader has still to show. */
    public static List<byte[]> messages(PacketReader reader) {
        List<byte[]> messages = new ArrayList<>();
        while (reader.nextMessage()) {
            messages.add(bytes(reader.message()));
        }
        return messages;
    }

    /** The reader has the packet of {@code seed}. */
    public static void check(PacketReader reader, long seed) {
        Random random = new Random(seed);
        List<byte[]> expected = messages(random);
        assertThat(reader.messageCount()).isEqualTo(expected.size());
        assertThat(reader.hasMetadata()).isEqualTo(metadataAt(random, expected) <= expected.size());
        if (reader.hasMetadata()) {
            checkMetadata(reader.metadata(), seed);
        }
        assertThat(messages(reader)).usingElementComparator(Arrays::compare).isEqualTo(expected);
    }

    private static void checkMetadata(PacketMetadata metadata, long seed) {
        assertThat(metadata.operation()).isEqualTo(PacketOperation.values()[(int) Long.remainderUnsigned(seed, 5)]);
        assertThat(metadata.type()).isEqualTo((int) seed);
        assertThat(metadata.objectIdHigh()).isEqualTo(~seed);
        assertThat(metadata.objectIdLow()).isEqualTo(seed);
        assertThat(metadata.transactionId()).isEqualTo(seed + 1);
        assertThat(metadata.stableTransactionId()).isEqualTo(seed + 2);
        assertThat(metadata.inSequence()).isEqualTo(seed + 3);
        assertThat(metadata.outSequence()).isEqualTo(seed + 4);
        assertThat(metadata.checkpoint()).isEqualTo(seed + 5);
    }
}
