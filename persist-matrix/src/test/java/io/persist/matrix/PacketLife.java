package io.persist.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.PacketLogger;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.Retirement;
import io.persist.log.read.Tailer;
import io.persist.packet.Packet;
import io.persist.packet.PacketReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A packet is an entry: its metadata and two messages. */
final class PacketLife extends JournalLife {

    private final PacketLogger logger;
    private final PacketReader reader = new PacketReader();

    PacketLife(LogConfig config, @Nullable DetachedConfig queue, Storage storage) {
        this(queue == null ? PacketLogger.open(config, storage) : PacketLogger.open(config, queue, storage));
    }

    private PacketLife(PacketLogger logger) {
        super(logger, Retirement.DELETE);
        this.logger = logger;
    }

    @Override
    public void append(Entries entries, long number) {
        byte[] bytes = entries.bytes(number);
        int half = bytes.length / 2;
        try (Packet packet = logger.packet()) { // which is cleared if the append fails
            packet.metadata().transactionId(number);
            packet.add(bytes).add(bytes, half, bytes.length - half);
            logger.append(packet);
        }
    }

    @Override
    void check(Entries entries, long number, Tailer tailer) {
        check(number, entries);
        check(entries.bytes(number), number, reader.wrap(tailer.payload(), tailer.position()));
    }

    /** That the packet of {@code reader} is the one of entry {@code number}, which is {@code bytes}. */
    static void check(byte[] bytes, long number, PacketReader reader) {
        assertThat(reader.messageCount()).isEqualTo(2);
        assertThat(reader.hasMetadata()).isTrue();
        assertThat(reader.metadata().transactionId()).isEqualTo(number);
        assertThat(reader.nextMessage()).isTrue();
        check(bytes, number, reader.message());
        assertThat(reader.nextMessage()).isTrue();
        int half = bytes.length / 2;
        assertThat(reader.message()).isEqualTo(ByteBuffer.wrap(bytes, half, bytes.length - half));
    }
}
