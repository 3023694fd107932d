package io.persist.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.PacketLogger;
import io.persist.detached.DetachedConfig;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RecoveryReport;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.Tailer;
import io.persist.packet.Packet;
import io.persist.packet.PacketReader;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A packet is an entry: its metadata and two messages. */
final class PacketLife extends Life {

    private static final long KEPT_BYTES = 3L * Subject.SEGMENT_LENGTH;

    private final PacketLogger logger;

    PacketLife(LogConfig config, @Nullable DetachedConfig queue, Storage storage) {
        logger = queue == null ? PacketLogger.open(config, storage) : PacketLogger.open(config, queue, storage);
    }

    @Override
    public void append(Entries entries, long number) {
        byte[] bytes = entries.bytes(number);
        int half = bytes.length / 2;
        Packet packet = logger.packet().clear();
        packet.metadata().transactionId(number);
        packet.add(bytes).add(bytes, half, bytes.length - half);
        logger.append(packet);
    }

    @Override
    public void commit(Durability level) {
        logger.commit(level);
    }

    @Override
    public long flushedPosition() {
        return logger.flushedPosition();
    }

    @Override
    public boolean await(long position, Durability level, long timeout, TimeUnit unit) {
        return logger.await(position, level, timeout, unit);
    }

    @Override
    public CompletableFuture<Long> reached(long position, Durability level) {
        return logger.reached(position, level);
    }

    @Override
    public void upkeep() {
        logger.retire(logger.planRetention(RetentionRule.keepBytes(KEPT_BYTES)), Retirement.DELETE);
    }

    @Override
    public long verify(Entries entries) {
        PacketReader reader = new PacketReader();
        try (Tailer tailer = logger.tailer()) {
            long last = 0;
            while (tailer.next()) {
                if (last != 0 && tailer.sequence() != last + 1) {
                    throw new AssertionError("packet " + tailer.sequence() + " follows " + last);
                }
                last = tailer.sequence();
                check(entries, last, reader.wrap(tailer.payload(), tailer.position()));
            }
            return last;
        }
    }

    private static void check(Entries entries, long number, PacketReader reader) {
        check(number, entries);
        check(entries.bytes(number), number, reader);
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

    @Override
    public RecoveryReport recovery() {
        return logger.recovery();
    }

    @Override
    public void close() {
        logger.close();
    }
}
