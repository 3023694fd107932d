package io.persist.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.codec.Encoder;
import io.persist.format.PacketLayout;
import io.persist.support.Buffers;
import io.persist.support.Records;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacketTest {

    private final Packet packet = new Packet();
    private final PacketReader reader = new PacketReader();

    private PacketReader read() {
        return reader.wrap(packet.payload());
    }

    @Test
    void shouldReadBackAnyPacket() {
        Seeds.run(2000, seed -> {
            Packets.fill(packet, seed);
            assertThat(packet.length()).isEqualTo(packet.payload().remaining());
            Packets.check(read(), seed);
            assertThat(packet.isEmpty()).isFalse();
        });
    }

    @Test
    void shouldReadAPacketInTheMiddleOfAnyBuffer() {
        Seeds.run(200, seed -> {
            Random random = new Random(seed);
            byte[] bytes = Packets.bytes(seed);
            ByteBuffer around = random.nextBoolean() ? ByteBuffer.allocate(2000) : ByteBuffer.allocateDirect(2000);
            int start = random.nextInt(1000);
            around.put(start, bytes).limit(start + bytes.length).position(start).order(ByteOrder.BIG_ENDIAN);
            Packets.check(reader.wrap(around), seed);
            assertThat(around).isEqualTo(ByteBuffer.wrap(bytes));
        });
    }

    @Test
    void shouldTakeMessagesOfEverySource() {
        byte[] message = Records.of(1, 33);
        byte[] padded = new byte[40];
        System.arraycopy(message, 0, padded, 4, 33);
        ByteBuffer buffer = ByteBuffer.wrap(padded, 4, 33);
        packet.add(message)
                .add(padded, 4, 33)
                .add(buffer)
                .add(ByteBuffer.allocateDirect(33).put(0, message))
                .add(buffer.asReadOnlyBuffer())
                .add(Buffers.direct(padded), 4, 33)
                .add(message, (bytes, output) -> output.write(bytes));
        assertThat(buffer.position()).isEqualTo(4);
        assertThat(read().messageCount()).isEqualTo(7).isEqualTo(packet.messageCount());
        assertThat(Packets.messages(reader)).allSatisfy(read -> assertThat(read).isEqualTo(message));
    }

    @Test
    void shouldShowMessagesReadOnlyAndLittleEndian() {
        packet.add(new byte[] {1, 0, 0, 0});
        assertThat(read().nextMessage()).isTrue();
        ByteBuffer message = reader.message();
        assertThat(message.isReadOnly()).isTrue();
        assertThat(message.getInt()).isEqualTo(1);
        assertThat(message.remaining()).isZero();
        assertThat(reader.nextMessage()).isFalse();
        assertThat(reader.nextMessage()).isFalse();
    }

    @Test
    void shouldPutEachFieldWhereTheFormatSays() {
        packet.add(new byte[] {(byte) 0xAA});
        packet.metadata()
                .operationCode((byte) 0x64)
                .markPossibleDuplicate()
                .markCommitStart()
                .markCommitEnd()
                .type(0x03020100)
                .objectId(new UUID(0x0706050403020100L, 0x0F0E0D0C0B0A0908L))
                .transactionId(0x1716151413121110L)
                .stableTransactionId(0x2726252423222120L)
                .inSequence(0x3736353433323130L)
                .outSequence(0x4746454443424140L)
                .checkpoint(0x5756555453525150L);
        ByteBuffer stored = ByteBuffer.wrap(Packets.bytes(packet)).order(ByteOrder.LITTLE_ENDIAN);

        assertThat(stored.capacity()).isEqualTo(80);
        assertThat(stored.getLong(0)).isEqualTo(0x00000001_0000_01_01L);
        assertThat(stored.get(8)).isEqualTo((byte) 0x64);
        assertThat(stored.get(9)).isEqualTo((byte) 7);
        assertThat(stored.getShort(10)).isZero();
        assertThat(stored.getInt(12)).isEqualTo(0x03020100);
        assertThat(stored.getLong(16)).isEqualTo(0x0706050403020100L);
        assertThat(stored.getLong(24)).isEqualTo(0x0F0E0D0C0B0A0908L);
        assertThat(stored.getLong(32)).isEqualTo(0x1716151413121110L);
        assertThat(stored.getLong(40)).isEqualTo(0x2726252423222120L);
        assertThat(stored.getLong(48)).isEqualTo(0x3736353433323130L);
        assertThat(stored.getLong(56)).isEqualTo(0x4746454443424140L);
        assertThat(stored.getLong(64)).isEqualTo(0x5756555453525150L);
        assertThat(stored.getLong(72)).isEqualTo(0x000000AA_00000001L);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {PacketLayout.FLAG_POSSIBLE_DUPLICATE, PacketLayout.FLAG_COMMIT_START, PacketLayout.FLAG_COMMIT_END})
    void shouldKeepEachFlagApart(int flag) {
        PacketMetadata metadata = packet.metadata();
        switch (flag) {
            case PacketLayout.FLAG_POSSIBLE_DUPLICATE -> metadata.markPossibleDuplicate();
            case PacketLayout.FLAG_COMMIT_START -> metadata.markCommitStart();
            default -> metadata.markCommitEnd();
        }
        PacketMetadata read = read().metadata();
        assertThat(read.isPossibleDuplicate()).isEqualTo(flag == PacketLayout.FLAG_POSSIBLE_DUPLICATE);
        assertThat(read.isCommitStart()).isEqualTo(flag == PacketLayout.FLAG_COMMIT_START);
        assertThat(read.isCommitEnd()).isEqualTo(flag == PacketLayout.FLAG_COMMIT_END);
        assertThat(Packets.bytes(packet)[PacketLayout.METADATA_FLAGS_OFFSET]).isEqualTo((byte) flag);
    }

    @ParameterizedTest
    @EnumSource(PacketOperation.class)
    void shouldKeepEachOperation(PacketOperation operation) {
        packet.metadata().operation(operation);
        assertThat(read().metadata().operation()).isEqualTo(operation);
        assertThat(PacketOperation.of(operation.code())).isEqualTo(operation);
    }

    @ParameterizedTest
    @ValueSource(bytes = {-128, -1, 5, 127})
    void shouldKeepAnOperationThatItDoesNotKnow(byte code) {
        packet.metadata().operationCode(code);
        assertThat(read().metadata().operationCode()).isEqualTo(code);
        assertThat(reader.metadata().operation()).isEqualTo(PacketOperation.OTHER);
    }

    @Test
    void shouldBeginAnewWithNothingOfThePacketBefore() {
        PacketMetadata before =
                packet.metadata().type(-1).objectId(-1, -1).checkpoint(-1).markCommitEnd();
        packet.add(filled(9));
        packet.payload();
        packet.clear();
        assertThat(packet.isEmpty()).isTrue();
        before.checkpoint(42); // too late for the packet that it belonged to, too early for another one
        packet.add(filled(1)).add(new byte[0]);
        assertThat(Packets.bytes(packet))
                .containsExactly(1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0x5A, 0, 0, 0, 0, 0, 0, 0);
        assertThat(read().hasMetadata()).isFalse();
        assertThatIllegalStateException().isThrownBy(reader::metadata);

        packet.clear().metadata();
        byte[] zeros = new byte[PacketLayout.METADATA_LENGTH];
        assertThat(Packets.bytes(packet)).endsWith(zeros).hasSize(72);
        assertThat(read().hasMetadata()).isTrue();
        assertThat(reader.messageCount()).isZero();
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0x5A);
        return bytes;
    }

    @Test
    void shouldGoOnAfterThePayloadWasTaken() {
        packet.add(filled(3));
        packet.payload().limit(0);
        packet.metadata().type(7);
        packet.add(filled(2000)).add(filled(5));
        packet.metadata().checkpoint(8);
        assertThat(read().messageCount()).isEqualTo(3);
        assertThat(reader.metadata().type()).isEqualTo(7);
        assertThat(reader.metadata().checkpoint()).isEqualTo(8);
        assertThat(Packets.messages(reader).stream().map(message -> message.length))
                .isEqualTo(List.of(3, 2000, 5));
    }

    @Test
    void shouldLeaveNothingOfAMessageWhoseSourceThrows() {
        packet.add(filled(5));
        byte[] before = Packets.bytes(packet);
        Encoder<String> broken = (message, output) -> {
            output.extend(Long.BYTES).putLong(-1);
            throw new IllegalStateException(message);
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> packet.add("broken", broken))
                .withMessage("broken");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> packet.add(Buffers.direct(new byte[3]), 0, 1000));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> packet.add(new byte[3], 1, 3));
        assertThatIllegalArgumentException().isThrownBy(() -> packet.add(Buffers.direct(new byte[3]), 0, -1));
        assertThat(Packets.bytes(packet)).isEqualTo(before);
    }

    /** What an encoder adds itself comes before its message. */
    @Test
    void shouldLetAnEncoderAdd() {
        packet.add(5, (length, output) -> {
            output.write(new byte[length]);
            packet.add(length + 1, (longer, inner) -> inner.write(new byte[longer]));
        });
        assertThat(read().messageCount()).isEqualTo(2);
        assertThat(Packets.messages(reader)).containsExactly(new byte[6], new byte[5]);
    }

    @Test
    void shouldBeOpenFromTheFirstAdditionOnUntilItIsAppended() {
        assertThat(packet.isOpen()).isFalse();
        assertThat(packet.add(filled(1)).isOpen()).isTrue();
        packet.payload();
        assertThat(packet.isOpen()).as("the log may refuse it").isTrue();
        packet.appended();
        assertThat(packet.isOpen()).isFalse();
        packet.metadata();
        assertThat(packet.isOpen()).isTrue();
        packet.appended();
        packet.metadata().type(7);
        assertThat(packet.isOpen()).as("its metadata is read or changed").isFalse();
        packet.add(filled(2));
        packet.close();
        assertThat(packet.isOpen()).isFalse();
        assertThat(packet.isEmpty()).isTrue();
    }

    @Test
    void shouldBeOpenWhileAnEncoderRuns() {
        boolean[] seen = {false};
        Encoder<byte[]> looking = (message, output) -> {
            seen[0] = packet.isOpen();
            output.write(message);
        };
        assertThat(packet.add(filled(3), looking).isOpen()).isTrue();
        assertThat(seen[0]).isTrue();
        Encoder<byte[]> broken = (message, output) -> {
            throw new IllegalStateException("broken");
        };
        assertThatIllegalStateException().isThrownBy(() -> packet.add(filled(3), broken));
        assertThat(packet.isOpen()).isTrue();
        packet.clear();
        assertThatIllegalStateException().isThrownBy(() -> packet.add(filled(3), broken));
        assertThat(packet.isOpen()).as("nothing was added").isFalse();
    }

    @Test
    void shouldRefuseWhatNoSegmentHolds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> packet.add(Buffers.direct(new byte[0]), 0, Integer.MAX_VALUE))
                .withMessageContaining("length=2147483647")
                .withMessageContaining("max=1073741640");
        assertThat(packet.isEmpty()).isTrue();
    }

    @Test
    void shouldSayWhatItsMetadataHas() {
        packet.metadata()
                .operation(PacketOperation.UPDATE)
                .markCommitEnd()
                .type(2)
                .objectId(0, 3)
                .transactionId(4)
                .stableTransactionId(5)
                .inSequence(6)
                .outSequence(7)
                .checkpoint(8);
        assertThat(read().metadata())
                .hasToString("PacketMetadata[operation=UPDATE, operationCode=2, possibleDuplicate=false,"
                        + " commitStart=false, commitEnd=true, type=2, objectId=00000000-0000-0000-0000-000000000003,"
                        + " transactionId=4, stableTransactionId=5, inSequence=6, outSequence=7, checkpoint=8]");
        assertThat(new PacketMetadata()).hasToString("PacketMetadata[none]");
    }

    @Test
    void shouldNotLetReadersWrite() {
        packet.metadata();
        PacketMetadata read = read().metadata();
        assertThatExceptionOfType(ReadOnlyBufferException.class).isThrownBy(() -> read.type(1));
    }

    /** There was memory for the longer buffer, and none for what is needed beside it. */
    @Test
    void shouldStayAsItIsIfThereIsNoMemoryToGrow() {
        Packet full = new Packet(buffer -> {
            if (buffer.capacity() > 1000) {
                throw new OutOfMemoryError("injected");
            }
            return buffer.duplicate();
        });
        full.add(Records.of(1, 100));
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> full.add(Records.of(2, 2000)));
        full.add(Records.of(3, 100)).metadata().type(7);
        reader.wrap(full.payload());
        assertThat(reader.metadata().type()).isEqualTo(7);
        assertThat(reader.messageCount()).isEqualTo(2);
        for (int number : new int[] {1, 3}) {
            assertThat(reader.nextMessage()).isTrue();
            assertThat(reader.messageBytes()).isEqualTo(Records.of(number, 100));
        }
    }
}
