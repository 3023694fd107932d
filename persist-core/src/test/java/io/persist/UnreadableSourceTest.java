package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.memory.MissingPage;
import io.persist.packet.Packet;
import io.persist.support.Buffers;
import io.persist.support.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A buffer of the application's that cannot be read costs the call, and not the log. */
@EnabledOnOs(OS.LINUX)
class UnreadableSourceTest {

    /** So many calls that they are compiled; then the JVM says later that a page is missing. */
    private static final int CALLS = 20_000;

    private final byte[] good = Records.of(1, 100);

    @TempDir
    Path directory;

    @AfterEach
    void settle() {
        MissingPage.dropHeld();
    }

    private MessageLogger open(WriteMode mode, boolean detached) {
        LogConfig config = LogConfig.builder(directory.resolve("log"))
                .segmentLength(1 << 20)
                .writeMode(mode)
                .build();
        return detached ? MessageLogger.open(config, DetachedConfig.builder().build()) : MessageLogger.open(config);
    }

    /** A mapping of a file that has {@code length} bytes, and may be cut. */
    private MappedFile map(int length) throws IOException {
        return new MappedFile(
                FileChannel.open(
                        directory.resolve("source"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE),
                length);
    }

    private static final class MappedFile implements AutoCloseable {
        final FileChannel channel;
        final ByteBuffer bytes;

        MappedFile(FileChannel channel, int length) throws IOException {
            this.channel = channel;
            this.bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
        }

        ByteBuffer cut(long left) throws IOException {
            channel.truncate(left);
            return bytes;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private void shouldHave(MessageLogger logger, int count) {
        logger.commit(Durability.SYNCED);
        try (Tailer tailer = logger.tailer()) {
            for (int i = 0; i < count; i++) {
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.payload()).isEqualTo(ByteBuffer.wrap(good));
            }
            assertThat(tailer.next()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"MAPPED, 100, 0", "MAPPED, 40000, 20480", "MAPPED, 4100, 4096", "FILE, 100, 0", "FILE, 40000, 20480"})
    void shouldGoOnBehindAMappedFileThatWasCut(WriteMode mode, int length, int left) throws IOException {
        try (MappedFile source = map(length);
                MessageLogger logger = open(mode, true)) {
            logger.append(good);
            ByteBuffer cut = source.cut(left);
            for (int i = 0; i < 2; i++) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> logger.append(cut))
                        .withMessageStartingWith("source cannot be read: position=0, length=" + length);
            }
            logger.append(ByteBuffer.allocateDirect(good.length).put(0, good));
            logger.append(good);
            shouldHave(logger, 3);
        }
    }

    /** Compiled code goes on behind a page that is missing; the record must not be accepted by then. */
    @ParameterizedTest
    @CsvSource({"MAPPED, 100, 0", "FILE, 8192, 4096"})
    void shouldGoOnWhenCompiled(WriteMode mode, int length, int left) throws IOException {
        try (MappedFile source = map(length);
                MessageLogger logger = open(mode, true)) {
            for (int i = 0; i < CALLS; i++) {
                logger.append(source.bytes);
            }
            ByteBuffer cut = source.cut(left);
            assertThatIllegalArgumentException().isThrownBy(() -> logger.append(cut));
            logger.append(good);
            logger.commit(Durability.SYNCED);
            assertThat(logger.lastSequence()).isEqualTo(CALLS + 1);
        }
    }

    /** Agrona's buffers are read without the JDK's checks. */
    @ParameterizedTest
    @CsvSource({"MAPPED, 100, 0, false", "MAPPED, 40000, 0, false", "FILE, 40000, 20480, false", "FILE, 40000, 0, true"
    })
    void shouldGoOnBehindAnAgronaBufferOfAFileThatWasCut(WriteMode mode, int length, int left, boolean byAddress)
            throws IOException {
        try (MappedFile source = map(length);
                MessageLogger logger = open(mode, true)) {
            DirectBuffer buffer = byAddress ? Buffers.onAddress(source.bytes) : Buffers.onBuffer(source.bytes);
            for (int i = 0; i < CALLS; i++) {
                logger.append(buffer, 0, 100);
            }
            logger.append(buffer, 0, length);
            source.cut(left);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> logger.append(buffer, 0, length))
                    .withMessageStartingWith("source cannot be read: position=0, length=" + length);
            logger.append(Buffers.direct(good), 0, good.length);
            logger.commit(Durability.SYNCED);
            assertThat(logger.lastSequence()).isEqualTo(CALLS + 2);
        }
    }

    /** A packet and an encoder copy before the log has anything to do with it; by then it has to be known. */
    @ParameterizedTest
    @EnumSource(Copying.class)
    void shouldSayWhereAMessageIsCopiedThatItCannotBeRead(Copying copying) throws IOException {
        int length = 8192;
        try (MappedFile source = map(length);
                PacketLogger logger = PacketLogger.open(
                        LogConfig.builder(directory.resolve("log"))
                                .segmentLength(1 << 20)
                                .build(),
                        DetachedConfig.builder().build())) {
            Packet packet = new Packet();
            for (int i = 0; i < CALLS; i++) {
                copying.add(source.bytes, packet.clear());
            }
            source.cut(4096);
            packet.clear().add(good);
            for (int i = 0; i < 2; i++) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> copying.add(source.bytes, packet))
                        .withMessageStartingWith("source cannot be read: position=0, length=" + length);
            }
            assertThat(packet.messageCount()).isEqualTo(1);
            logger.append(packet);
            logger.commit(Durability.SYNCED);
            assertThat(logger.lastSequence()).isEqualTo(1);
        }
    }

    private enum Copying {
        PACKET_BUFFER {
            @Override
            void add(ByteBuffer source, Packet packet) {
                packet.add(source);
            }
        },
        PACKET_ADDRESS {
            @Override
            void add(ByteBuffer source, Packet packet) {
                packet.add(Buffers.onAddress(source), 0, source.capacity());
            }
        },
        ENCODER_BUFFER {
            @Override
            void add(ByteBuffer source, Packet packet) {
                packet.add(source, (message, output) -> output.write(message));
            }
        },
        ENCODER_AGRONA {
            @Override
            void add(ByteBuffer source, Packet packet) {
                packet.add(Buffers.onBuffer(source), (message, output) -> output.write(message, 0, source.capacity()));
            }
        };

        abstract void add(ByteBuffer source, Packet packet);
    }

    @Test
    void shouldAppendAnAgronaBufferWhileAClaimIsOpen() {
        try (MessageLogger logger = open(WriteMode.MAPPED, true)) {
            Claim claim = logger.claim(good.length);
            claim.payload().put(good);
            ByteBuffer direct = ByteBuffer.allocateDirect(10 + good.length).put(10, good);
            logger.append(Buffers.onBuffer(direct), 10, good.length);
            logger.append(Buffers.onAddress(direct), 10, good.length);
            byte[] inside = new byte[good.length + 5];
            System.arraycopy(good, 0, inside, 3, good.length);
            logger.append(Buffers.onArray(inside, 2, good.length + 2), 1, good.length);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> logger.append(Buffers.onArray(inside, 2, 3), 1, 3));
            claim.publish();
            shouldHave(logger, 4);
        }
    }

    /** The claim has its own memory. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void shouldAppendABufferWhileAClaimIsOpen(boolean readOnly) {
        try (MessageLogger logger = open(WriteMode.MAPPED, true)) {
            Claim claim = logger.claim(good.length);
            claim.payload().put(good);
            ByteBuffer heap = ByteBuffer.wrap(good);
            logger.append(
                    readOnly
                            ? heap.asReadOnlyBuffer()
                            : ByteBuffer.allocateDirect(good.length).put(0, good));
            claim.publish();
            shouldHave(logger, 2);
        }
    }

    /** By reflection: this is compiled for JDK 17. */
    @ParameterizedTest
    @CsvSource({"MAPPED, false", "MAPPED, true", "FILE, false", "FILE, true"})
    void shouldGoOnBehindMemoryThatWasClosed(WriteMode mode, boolean detached) throws ReflectiveOperationException {
        assumeTrue(Runtime.version().feature() >= 22, "java.lang.foreign is there from JDK 22 on");
        ByteBuffer closed = closedMemory();
        try (MessageLogger logger = open(mode, detached)) {
            logger.append(good);
            assertThatIllegalStateException().isThrownBy(() -> logger.append(closed));
            logger.append(good);
            shouldHave(logger, 2);
        }
    }

    private static ByteBuffer closedMemory() throws ReflectiveOperationException {
        Class<?> type = Class.forName("java.lang.foreign.Arena");
        Object arena = type.getMethod("ofShared").invoke(null);
        Object segment = type.getMethod("allocate", long.class).invoke(arena, 100L);
        Class<?> segmentType = Class.forName("java.lang.foreign.MemorySegment");
        ByteBuffer buffer = (ByteBuffer) segmentType.getMethod("asByteBuffer").invoke(segment);
        type.getMethod("close").invoke(arena);
        return buffer;
    }
}
