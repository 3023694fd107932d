package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.UnsupportedFormatException;
import io.persist.format.Frame;
import io.persist.format.PacketLayout;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.packet.Packet;
import io.persist.packet.PacketReader;
import io.persist.packet.Packets;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class PacketLoggerTest {

    private static final int SEGMENT_LENGTH = 1 << 16;

    enum Kind {
        MAPPED(WriteMode.MAPPED),
        FILE(WriteMode.FILE),
        DETACHED_MAPPED(WriteMode.MAPPED),
        DETACHED_FILE(WriteMode.FILE);

        private final WriteMode writeMode;

        Kind(WriteMode writeMode) {
            this.writeMode = writeMode;
        }

        boolean isDetached() {
            return this == DETACHED_MAPPED || this == DETACHED_FILE;
        }
    }

    @Parameter
    Kind kind;

    private final CrashableStorage storage = new CrashableStorage();
    private final DetachedConfig queue = DetachedConfig.builder().build();
    private PacketLogger logger;

    @BeforeEach
    void open() {
        LogConfig config = config(Path.of("memory"));
        logger = kind.isDetached() ? PacketLogger.open(config, queue, storage) : PacketLogger.open(config, storage);
    }

    private LogConfig config(Path directory) {
        return LogConfig.builder(directory)
                .segmentLength(SEGMENT_LENGTH)
                .writeMode(kind.writeMode)
                .prefill(Prefill.BACKGROUND)
                .durability(Durability.SYNCED)
                .build();
    }

    private PacketLogger open(Path directory) {
        return kind.isDetached() ? PacketLogger.open(config(directory), queue) : PacketLogger.open(config(directory));
    }

    @AfterEach
    void close() {
        logger.close();
        assertThat(storage.openHandles()).isZero();
    }

    private int checkAll() {
        logger.flush();
        PacketReader reader = new PacketReader();
        try (Tailer tailer = logger.tailer()) {
            int count = 0;
            while (tailer.next()) {
                assertThat(tailer.sequence()).isEqualTo(count + 1);
                Packets.check(reader.wrap(tailer.payload(), tailer.position()), count);
                count++;
            }
            return count;
        }
    }

    @Test
    void shouldReadBackPackets() throws InterruptedException {
        Packet packet = new Packet();
        for (int i = 0; i < 500; i++) {
            long end = logger.append(Packets.fill(packet, i));
            assertThat(logger.await(end, Durability.BUFFERED, Duration.ofMinutes(1)))
                    .isTrue();
            assertThat(end).isEqualTo(logger.position());
            if (i % 7 == 0) {
                assertThat(logger.commit(Durability.BUFFERED)).isEqualTo(end);
            }
        }
        assertThat(checkAll()).isEqualTo(500);
        assertThat(logger.lastSequence()).isEqualTo(500);
    }

    @Test
    void shouldTellWhetherThePacketWouldWait() {
        Packet packet = logger.packet();
        packet.metadata().type(1);
        packet.add(new byte[5]).add(new byte[7]);
        assertThat(packet.length()).as("as the method says").isLessThanOrEqualTo(8 + 64 + 5 + 7 + 7 + 7);
        for (int i = 0; i < 100; i++) {
            Await.until("the append would not wait", () -> !logger.wouldWait(packet.length()));
            logger.append(packet);
        }
        assertThat(logger.statistics().stalls() + logger.statistics().queueFull())
                .isZero();
        packet.clear().add(new byte[SEGMENT_LENGTH]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logger.wouldWait(packet.length()))
                .withMessageContaining("record is too long: length=" + packet.length());
        packet.clear();
    }

    @Test
    void shouldTakeAPacketAsItIsAndLeaveItAsItWas() {
        Packet packet = logger.packet().add(new byte[] {1});
        logger.append(packet);
        logger.append(packet.add(new byte[] {2, 3}));
        packet.metadata().type(9);
        logger.append(packet);
        logger.append(logger.packet().add(new byte[] {4}));
        assertThat(logger.packet()).isSameAs(packet);
        logger.flush();
        PacketReader reader = new PacketReader();
        try (Tailer tailer = logger.tailer()) {
            assertThat(tailer.next()).isTrue();
            assertThat(Packets.messages(reader.wrap(tailer.payload()))).containsExactly(new byte[] {1});
            assertThat(tailer.next()).isTrue();
            assertThat(Packets.messages(reader.wrap(tailer.payload())))
                    .containsExactly(new byte[] {1}, new byte[] {2, 3});
            assertThat(tailer.next()).isTrue();
            assertThat(reader.wrap(tailer.payload()).metadata().type()).isEqualTo(9);
            assertThat(reader.messageCount()).isEqualTo(2);
            assertThat(tailer.next()).isTrue();
            assertThat(reader.wrap(tailer.payload()).hasMetadata()).isFalse();
            assertThat(Packets.messages(reader)).containsExactly(new byte[] {4});
        }
    }

    private List<List<byte[]>> packets() {
        logger.flush();
        List<List<byte[]>> packets = new ArrayList<>();
        try (Tailer tailer = logger.tailer()) {
            while (tailer.next()) {
                packets.add(Packets.messages(new PacketReader().wrap(tailer.payload())));
            }
        }
        return packets;
    }

    /** A helper, such as an audit, that the code which fills the thread's packet calls. */
    @Test
    void shouldNotGiveThePacketThatIsBeingFilledToSomebodyElse() {
        Packet packet = logger.packet().add(new byte[] {1});
        assertThatIllegalStateException()
                .isThrownBy(logger::packet)
                .withMessageStartingWith("this thread's packet is open: messages=1, metadata=none,")
                .withMessageContaining("new Packet()")
                .withMessageEndingWith("call PacketLogger.clearPacket()");
        packet.add(new byte[] {2}, (message, output) -> {
            assertThatIllegalStateException().isThrownBy(logger::packet);
            logger.append(new Packet().add(new byte[] {3}));
            output.write(message);
        });
        logger.append(packet);
        logger.append(logger.packet().add(new byte[] {4}, (message, output) -> {
            assertThatIllegalStateException().isThrownBy(logger::packet);
            output.write(message);
        }));
        assertThat(packets().stream().map(List::size)).containsExactly(1, 2, 1);
    }

    /** The code that filled it tries again, behind other code that asks for a packet to report the trouble. */
    @Test
    void shouldNotGiveAPacketThatWasRefusedToSomebodyElse() {
        Packet packet = logger.packet().add(new byte[SEGMENT_LENGTH]);
        assertThatIllegalArgumentException().isThrownBy(() -> logger.append(packet));
        assertThatIllegalStateException().isThrownBy(logger::packet).withMessageContaining("messages=1,");
        assertThat(packet.messageCount()).isEqualTo(1);
        logger.append(packet.clear().add(new byte[] {1}));
        assertThat(logger.packet()).isSameAs(packet);
        assertThat(packets()).hasSize(1);
    }

    @Test
    void shouldGiveAnEmptyPacketBehindOneThatWasLost() {
        assertThatIllegalStateException().isThrownBy(() -> {
            try (Packet packet = logger.packet()) {
                packet.metadata();
                throw new IllegalStateException("broken");
            }
        });
        assertThat(logger.packet().isEmpty()).isTrue();
        logger.packet().add(new byte[] {1}); // and nobody has it
        logger.clearPacket();
        assertThat(logger.packet().isEmpty()).isTrue();
    }

    /** As they come from a tailer; each source of bytes, and more than once. */
    @Test
    void shouldCopyALogOfPackets() {
        CrashableStorage original = new CrashableStorage();
        try (PacketLogger first = PacketLogger.open(config(Path.of("original")), original);
                Tailer tailer = first.tailer()) {
            for (int i = 0; i < 100; i++) {
                first.append(Packets.fill(first.packet(), i));
            }
            first.sync();
            while (tailer.next()) {
                ByteBuffer bytes = tailer.payload();
                switch ((int) (tailer.sequence() % 3)) {
                    case 0 -> logger.append(bytes);
                    case 1 -> logger.append(tailer.payloadUntilNext());
                    default ->
                        logger.append(ByteBuffer.allocateDirect(bytes.remaining() + 9)
                                .position(5)
                                .put(bytes.duplicate())
                                .limit(5 + bytes.remaining())
                                .position(5));
                }
                assertThat(bytes.position()).isZero();
            }
        }
        assertThat(checkAll()).isEqualTo(100);
    }

    @Test
    void shouldRefuseBytesThatAreNoWholePacket() {
        byte[] whole = Packets.bytes(new Packet().add(new byte[10]).add(new byte[7]));
        Map<String, ByteBuffer> wrong = new TreeMap<>(Map.of(
                "no room for its header", ByteBuffer.allocate(0),
                "no room for a message", ByteBuffer.wrap(whole, 0, whole.length - 8),
                "does not end with its last message", ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 4)),
                "its version is 0", ByteBuffer.allocate(100),
                "packet is empty", ByteBuffer.wrap(Packets.bytes(new Packet()))));
        long before = logger.position();
        wrong.forEach((why, bytes) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> logger.append(bytes))
                .withMessageContaining(why));
        byte[] newer = whole.clone();
        newer[PacketLayout.VERSION_OFFSET] = 2;
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> logger.append(ByteBuffer.wrap(newer)));
        logger.flush();
        assertThat(logger.position()).isEqualTo(before);
        logger.append(ByteBuffer.wrap(whole));
        assertThat(packets()).hasSize(1);
    }

    /** Before they are copied: there may be no memory for a copy. */
    @Test
    void shouldLookAtTheLengthOfBytesBeforeTheBytes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logger.append(ByteBuffer.allocate(SEGMENT_LENGTH)))
                .withMessageContaining("record is too long: length=" + SEGMENT_LENGTH);
    }

    @Test
    void shouldHaveAPacketForEachThread() throws InterruptedException {
        Packet[] other = new Packet[1];
        Thread thread = new Thread(() -> other[0] = logger.packet());
        thread.start();
        thread.join();
        assertThat(other[0]).isNotNull().isNotSameAs(logger.packet());
    }

    @Test
    void shouldRefuseAnEmptyPacketAndTakeOneOfMetadata() {
        long before = logger.position();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logger.append(logger.packet()))
                .withMessageContaining("messages=0");
        logger.flush();
        assertThat(logger.position()).isEqualTo(before);
        Packet packet = logger.packet();
        packet.metadata();
        assertThat(logger.append(packet)).isGreaterThan(before);
    }

    @Test
    void shouldRefuseAPacketThatNoSegmentHolds() {
        int most = Frame.maxPayload(SEGMENT_LENGTH) - PacketLayout.HEADER_LENGTH - PacketLayout.MESSAGE_HEADER_LENGTH;
        long before = logger.position();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logger.append(logger.packet().add(new byte[most + 1])))
                .withMessageContaining("length=" + (most + 16))
                .withMessageContaining("max=" + (most + 12));
        logger.flush();
        assertThat(logger.position()).isEqualTo(before);
        logger.clearPacket();
        logger.append(logger.packet().add(new byte[most]));
        logger.flush();
        assertThat(logger.lastSequence()).isEqualTo(1);
    }

    @Test
    void shouldWaitForTheLevelThatIsAskedFor() throws InterruptedException {
        logger.append(Packets.fill(logger.packet(), 0));
        long end = logger.commit();
        assertThat(end).isEqualTo(logger.committedPosition()).isEqualTo(logger.syncedPosition());
        logger.append(Packets.fill(logger.packet(), 1));
        logger.commit(Durability.FLUSHED);
        assertThat(logger.flushedPosition()).isEqualTo(logger.position());
        logger.append(Packets.fill(logger.packet(), 2));
        end = logger.commitWithin(Duration.ofHours(1));
        assertThat(logger.reached(end, Durability.SYNCED).join()).isEqualTo(end);
        logger.sync();
        assertThat(logger.await(end, Durability.SYNCED, Duration.ZERO)).isTrue();
        assertThat(logger.statistics().records()).isEqualTo(3);
        assertThat(checkAll()).isEqualTo(3);
    }

    @Test
    void shouldRetireOldPackets() {
        for (int i = 0; i < 200; i++) {
            logger.append(logger.packet().add(new byte[1000]));
        }
        logger.sync();
        RetentionPlan plan = logger.planRetention(RetentionRule.keepBytes(0));
        assertThat(plan.retired()).hasSize(3);
        logger.retire(plan, Retirement.DELETE);
        try (Tailer tailer = logger.tailer("audit")) {
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isGreaterThan(1);
            tailer.toPosition(logger.lastPosition());
            assertThat(tailer.next()).isTrue();
            assertThat(new PacketReader().wrap(tailer.payload()).nextMessage()).isTrue();
        }
    }

    @Test
    void shouldKeepPacketsInADirectoryAndRefuseAnythingElseThere(@TempDir Path directory) throws IOException {
        for (int life = 0; life < 2; life++) {
            try (PacketLogger onDisk = open(directory)) {
                assertThat(onDisk.recovery().kept().lastSequence()).isEqualTo(life);
                onDisk.append(Packets.fill(onDisk.packet(), life));
            }
        }
        assertRefused(
                directory,
                "the log holds packets, not messages",
                "PacketLogger",
                List.of(
                        () -> MessageLogger.open(config(directory)),
                        () -> MessageLogger.open(config(directory), queue)));
    }

    @Test
    void shouldRefuseALogOfMessages(@TempDir Path directory) throws IOException {
        try (MessageLogger messages = MessageLogger.open(config(directory))) {
            messages.append(new byte[5]);
        }
        assertRefused(
                directory,
                "the log holds messages, not packets",
                "MessageLogger",
                List.of(() -> PacketLogger.open(config(directory)), () -> PacketLogger.open(config(directory), queue)));
    }

    private static void assertRefused(Path directory, String what, String advice, List<Supplier<Journal>> ways)
            throws IOException {
        Map<String, String> before = content(directory);
        assertThat(before).hasSizeGreaterThan(1);
        for (Supplier<Journal> way : ways) {
            assertThatExceptionOfType(UnsupportedFormatException.class)
                    .isThrownBy(way::get)
                    .withMessageContaining(what)
                    .withMessageContaining(advice)
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
            assertThat(content(directory)).isEqualTo(before);
        }
    }

    private static Map<String, String> content(Path directory) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                content.put(
                        file.getFileName().toString(),
                        Files.size(file) + ":" + Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return content;
    }
}
