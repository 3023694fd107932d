package io.persist.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.PacketLogger;
import io.persist.codec.Encoder;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.support.Allocation;
import io.persist.support.InMemory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a thread allocates per packet in the long run: nothing. */
class PacketAllocationTest {

    private static final int WARM_UP = 20_000;
    private static final int CALLS = 20_000;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final byte[] array = new byte[60];
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(60);
    private final Encoder<byte[]> encoder =
            (message, output) -> output.extend(8).putLong(message.length);

    private LogConfig config(WriteMode mode) {
        return LogConfig.builder(directory)
                .segmentLength(4 << 20)
                .writeMode(mode)
                .build();
    }

    private static void shouldNotAllocate(Runnable call) {
        Allocation.checkNone(WARM_UP, CALLS, call);
    }

    private void append(PacketLogger logger) {
        Packet packet = logger.packet();
        packet.metadata()
                .operation(PacketOperation.UPDATE)
                .markCommitStart()
                .objectId(1, 2)
                .outSequence(3);
        packet.add(array).add(buffer).add(array, encoder);
        logger.append(packet);
        logger.commit(Durability.BUFFERED);
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldNotAllocateToAppend(WriteMode mode) {
        try (PacketLogger logger = PacketLogger.open(config(mode))) {
            shouldNotAllocate(() -> append(logger));
        }
    }

    @Test
    void shouldNotAllocateToAppendDetached() {
        DetachedConfig queue = DetachedConfig.builder().queueDepth(256).build();
        try (PacketLogger logger = PacketLogger.open(config(WriteMode.MAPPED), queue)) {
            shouldNotAllocate(() -> append(logger));
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldNotAllocateToAppendTheBytesOfAPacket(WriteMode mode) {
        ByteBuffer bytes = new Packet().add(array).add(buffer).payload();
        try (PacketLogger logger = PacketLogger.open(config(mode))) {
            shouldNotAllocate(() -> logger.append(bytes));
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldNotAllocateToRead(ReadMode readMode) {
        LogConfig config = config(WriteMode.MAPPED);
        TailerConfig reading = TailerConfig.builder()
                .content(LogContent.PACKETS)
                .readMode(readMode)
                .build();
        try (PacketLogger logger = PacketLogger.open(config);
                Tailer tailer = Tailer.open(directory, reading)) {
            for (int i = 0; i < WARM_UP + Allocation.TRIES * CALLS; i++) {
                append(logger);
            }
            PacketReader reader = new PacketReader();
            long[] sum = {0};
            int[] packets = {0};
            shouldNotAllocate(() -> {
                assertThatThereIs(tailer.next());
                packets[0]++;
                reader.wrap(tailer.payloadUntilNext(), tailer.position());
                sum[0] += reader.metadata().outSequence();
                while (reader.nextMessage()) {
                    sum[0] += reader.messageUntilNext().remaining();
                }
            });
            assertThat(sum[0]).isEqualTo((3 + 60 + 60 + 8L) * packets[0]);
        }
    }

    private static void assertThatThereIs(boolean one) {
        if (!one) {
            throw new AssertionError("no packet");
        }
    }
}
