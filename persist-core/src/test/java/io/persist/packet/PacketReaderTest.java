package io.persist.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.PacketLayout;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no packet is told by an exception that says so, and never by one of an index. */
class PacketReaderTest {

    private final PacketReader reader = new PacketReader();

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A packet of two messages, of 5 and of 0 bytes, without metadata: 8 + 12 + 4 bytes. */
    private static ByteBuffer example() {
        return buffer(Packets.bytes(new Packet().add(new byte[5]).add(new byte[0])));
    }

    private void assertMalformed(ByteBuffer payload, String what) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> reader.wrap(payload, 4160))
                .withMessageContaining(what)
                .satisfies(e -> assertThat(e.position()).isEqualTo(4160))
                .satisfies(e ->
                        assertThat(e.getMessage()).contains("position=4160").doesNotContain("\n"));
        assertThat(reader.messageCount()).isZero();
        assertThat(reader.nextMessage()).isFalse();
        assertThat(reader.hasMetadata()).isFalse();
    }

    @Test
    void shouldRefuseEveryTruncation() {
        Seeds.run(10, seed -> {
            byte[] bytes = Packets.bytes(seed);
            for (int length = 0; length < bytes.length; length++) {
                assertMalformed(buffer(Arrays.copyOf(bytes, length)), "malformed packet");
                assertMalformed(buffer(bytes).limit(length), "malformed packet");
            }
        });
    }

    @Test
    void shouldRefuseWhatIsLonger() {
        for (int more = 1; more < 20; more++) {
            byte[] bytes = Packets.bytes(1);
            assertMalformed(buffer(Arrays.copyOf(bytes, bytes.length + more)), "does not end with its last message");
        }
    }

    @Test
    void shouldSurviveEachByteBeingAnythingElse() {
        Seeds.run(4, seed -> {
            byte[] bytes = Packets.bytes(seed);
            for (int i = 0; i < bytes.length; i++) {
                byte right = bytes[i];
                for (int wrong = 1; wrong < 256; wrong++) {
                    bytes[i] = (byte) (right ^ wrong);
                    readOrRefuse(bytes);
                }
                bytes[i] = right;
            }
        });
    }

    @Test
    void shouldSurviveAnyBytes() {
        Seeds.run(2500, seed -> {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > 8) {
                buffer(bytes).putInt(0, 1 | random.nextInt(2) << 8).putInt(4, random.nextInt(8));
            }
            for (int i = 8; i + 4 <= bytes.length; i += 4) {
                if (random.nextInt(3) > 0) {
                    buffer(bytes).putInt(i, random.nextInt(40));
                }
            }
            readOrRefuse(bytes);
        });
    }

    /** A well-formed packet whose parts are as long as the whole, or one of the two exceptions. */
    private void readOrRefuse(byte[] bytes) {
        try {
            reader.wrap(buffer(bytes));
        } catch (CorruptLogException | UnsupportedFormatException refused) {
            assertThat(reader.nextMessage()).isFalse();
            return;
        }
        int length = PacketLayout.HEADER_LENGTH + (reader.hasMetadata() ? PacketLayout.METADATA_LENGTH : 0);
        int count = 0;
        while (reader.nextMessage()) {
            length += PacketLayout.MESSAGE_HEADER_LENGTH
                    + PacketLayout.aligned(reader.message().remaining());
            count++;
        }
        assertThat(length).isEqualTo(bytes.length);
        assertThat(count).isEqualTo(reader.messageCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 12, 16, 1 << 24})
    void shouldRefuseALengthThatIsNotInThePacket(int length) {
        ByteBuffer payload = example();
        assertThat(payload.getInt(8)).isEqualTo(5);
        payload.putInt(8, length);
        assertMalformed(payload, "malformed packet");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1, 3})
    void shouldRefuseAWrongNumberOfMessages(int count) {
        ByteBuffer payload = example();
        payload.putInt(PacketLayout.MESSAGE_COUNT_OFFSET, count);
        assertMalformed(payload, "malformed packet");
    }

    @Test
    void shouldTellANewerVersionFromDamage() {
        ByteBuffer newer = example().put(PacketLayout.VERSION_OFFSET, (byte) 2);
        ByteBuffer flagged = example().put(PacketLayout.FLAGS_OFFSET, (byte) 2);
        ByteBuffer high = example().put(PacketLayout.VERSION_OFFSET, (byte) -1);
        for (ByteBuffer payload : new ByteBuffer[] {newer, flagged, high}) {
            assertThatExceptionOfType(UnsupportedFormatException.class)
                    .isThrownBy(() -> reader.wrap(payload, 64))
                    .withMessageContaining("supported version=1")
                    .withMessageContaining("position=64");
        }
        assertMalformed(example().put(PacketLayout.VERSION_OFFSET, (byte) 0), "version is 0");
    }

    @Test
    void shouldIgnoreWhatIsReserved() {
        ByteBuffer payload = example();
        payload.putShort(PacketLayout.RESERVED_OFFSET, (short) -1).put(19, (byte) -1);
        assertThat(Packets.messages(reader.wrap(payload))).containsExactly(new byte[5], new byte[0]);
    }

    /** The memory under a tailer's payload can be used for another segment. */
    @Test
    void shouldNotLeaveThePacketIfItsBytesChangeWhileItIsRead() {
        for (int length : new int[] {-1, 16, Integer.MAX_VALUE}) {
            ByteBuffer payload = example();
            reader.wrap(payload);
            payload.putInt(8, length);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(reader::nextMessage);
        }
        ByteBuffer payload = example();
        reader.wrap(payload);
        payload.putInt(8, 12); // takes all the room there is
        assertThat(reader.nextMessage()).isTrue();
        assertThatExceptionOfType(CorruptLogException.class).isThrownBy(reader::nextMessage);
    }

    @Test
    void shouldKeepToThePacketWhateverTheCallerDoesWithItsBuffers() {
        ByteBuffer payload = example();
        reader.wrap(payload);
        payload.limit(2);
        assertThat(reader.nextMessage()).isTrue();
        reader.messageUntilNext().clear().limit(0);
        assertThat(reader.nextMessage()).isTrue();
        assertThat(reader.messageUntilNext().remaining()).isZero();
        Packets.check(reader.wrap(buffer(Packets.bytes(3))), 3);
    }

    /** An empty message would be taken for one of the packet, which may have such. */
    @Test
    void shouldShowNoMessageWhereThereIsNone() {
        checkOnNoMessage();
        reader.wrap(buffer(Packets.bytes(3)));
        checkOnNoMessage();
        while (reader.nextMessage()) {
            assertThat(reader.messageBytes()).hasSize(reader.message().remaining());
        }
        checkOnNoMessage();
    }

    private void checkOnNoMessage() {
        for (ThrowingCallable look :
                List.<ThrowingCallable>of(reader::message, reader::messageBytes, reader::messageUntilNext)) {
            assertThatIllegalStateException()
                    .isThrownBy(look)
                    .withMessage("the reader is on no message: call nextMessage first, and look at what it returns");
        }
    }

    @Test
    void shouldSayWhetherThePacketOrItsMetadataIsMissing() {
        assertNoMetadata("the reader has no packet: call wrap first");
        reader.wrap(example());
        assertNoMetadata("packet has no metadata; ask hasMetadata() before");
        assertMalformed(buffer(new byte[3]), "no room for its header");
        assertNoMetadata("the reader has no packet: call wrap first");
    }

    private void assertNoMetadata(String message) {
        assertThatIllegalStateException().isThrownBy(reader::metadata).withMessage(message);
    }

    @Test
    void shouldGoOnAfterAPacketThatWasRefused() {
        assertMalformed(buffer(new byte[3]), "no room for its header");
        Packets.check(reader.wrap(buffer(Packets.bytes(5))), 5);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> reader.wrap(ByteBuffer.allocate(0)))
                .withMessageContaining("position=-1");
    }
}
