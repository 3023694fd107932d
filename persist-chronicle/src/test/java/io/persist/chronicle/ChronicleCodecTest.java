package io.persist.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import io.persist.MessageLogger;
import io.persist.PacketLogger;
import io.persist.StoreLogger;
import io.persist.codec.MessageOutput;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import io.persist.packet.PacketReader;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import java.lang.management.ManagementFactory;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesMarshallable;
import net.openhft.chronicle.bytes.BytesOut;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;
import net.openhft.chronicle.bytes.render.MaximumPrecision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChronicleCodecTest {

    private static final int CALLS = 20_000;

    @TempDir
    Path directory;

    private final ChronicleCodec codec = new ChronicleCodec();
    private final Trade trade = new Trade();

    /** A message that chronicle-bytes writes and reads. */
    private static final class Trade implements BytesMarshallable {

        private long price;
        private String symbol = "";

        @Override
        public void writeMarshallable(BytesOut<?> bytes) {
            bytes.writeLong(price).writeUtf8(symbol);
        }

        @Override
        public void readMarshallable(BytesIn<?> bytes) {
            price = bytes.readLong();
            symbol = bytes.readUtf8();
        }

        Trade set(int number) {
            price = number;
            symbol = "é".repeat(number * 200);
            return this;
        }

        void check(int number) {
            assertThat(price).isEqualTo(number);
            assertThat(symbol).isEqualTo("é".repeat(number * 200));
        }
    }

    private LogConfig config() {
        return LogConfig.builder(directory).segmentLength(1 << 20).build();
    }

    @Test
    void shouldKeepMessages() {
        try (MessageLogger logger = MessageLogger.open(config())) {
            for (int i = 0; i < 5; i++) {
                logger.append(trade.set(i), codec);
            }
            try (Tailer tailer = logger.tailer()) {
                for (int i = 0; i < 5; i++) {
                    assertThat(tailer.next()).isTrue();
                    int length = tailer.payload().remaining();
                    codec.decode(tailer.payload(), trade.set(0));
                    trade.check(i);
                    assertThat(tailer.payload().remaining()).isEqualTo(length);
                }
                assertThat(tailer.next()).isFalse();
            }
        }
    }

    @Test
    void shouldKeepMessagesOfPackets() {
        try (PacketLogger logger = PacketLogger.open(config())) {
            logger.append(logger.packet().add(trade.set(1), codec).add(trade.set(2), codec));
            try (Tailer tailer = logger.tailer()) {
                assertThat(tailer.next()).isTrue();
                PacketReader reader = new PacketReader();
                reader.wrap(tailer.payload(), tailer.position());
                for (int i = 1; i <= 2; i++) {
                    assertThat(reader.nextMessage()).isTrue();
                    codec.into(trade.set(0)).read(reader.message());
                    trade.check(i);
                }
            }
        }
    }

    @Test
    void shouldKeepValues() {
        byte[] key = {1};
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build())) {
            try (Transaction transaction = store.begin()) {
                transaction.put(key, trade.set(3), codec);
                transaction.commit();
            }
            assertThat(store.get(key, codec.into(trade.set(0)))).isSameAs(trade);
            trade.check(3);
            assertThat(store.get(new byte[] {2}, codec.into(trade))).isNull();
        }
    }

    /** Threads that encode at once do not get into each other's way. */
    @Test
    void shouldServeSeveralThreads() throws InterruptedException {
        DetachedConfig queue = DetachedConfig.builder().queueDepth(64).build();
        List<Thread> threads = new ArrayList<>();
        try (MessageLogger logger = MessageLogger.open(config(), queue)) {
            for (int producer = 0; producer < 4; producer++) {
                int number = producer;
                Thread thread = new Thread(() -> {
                    Trade own = new Trade().set(number);
                    for (int i = 0; i < 500; i++) {
                        logger.append(own, codec);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            logger.flush();
            int[] seen = new int[4];
            try (Tailer tailer = logger.tailer()) {
                while (tailer.next()) {
                    codec.decode(tailer.payload(), trade);
                    trade.check((int) trade.price);
                    seen[(int) trade.price]++;
                }
            }
            assertThat(seen).containsOnly(500);
        }
    }

    /** The arrays are used again and again, and longer than a record: what they held before must not show. */
    @Test
    void shouldNotReadBeyondTheRecord() {
        long[] sum = {0};
        codec.decode(
                ByteBuffer.allocate(24).putLong(0, 1).putLong(8, 2).putLong(16, 3),
                bytes -> sum[0] = bytes.readLong() + bytes.readLong() + bytes.readLong());
        assertThat(sum[0]).isNotZero();
        for (int length = 0; length < 24; length++) {
            ByteBuffer shorter = ByteBuffer.allocate(length);
            assertThatExceptionOfType(BufferUnderflowException.class)
                    .as(length + " bytes")
                    .isThrownBy(() -> codec.decode(
                            shorter, bytes -> sum[0] = bytes.readLong() + bytes.readLong() + bytes.readLong()));
        }
    }

    /** Chronicle checks an offset against the limit of the writes: beyond the array it would read foreign memory. */
    @Test
    void shouldNotReadBeyondTheRecordAtAnOffset() {
        codec.decode(ByteBuffer.allocate(3000), bytes -> {});
        for (long offset : new long[] {0, 4, 300, 4000, 2_000_000_000}) {
            assertThatExceptionOfType(BufferUnderflowException.class)
                    .as("offset " + offset)
                    .isThrownBy(
                            () -> codec.decode(ByteBuffer.allocate(4), bytes -> ((Bytes<?>) bytes).readLong(offset)));
        }
        long[] read = new long[1];
        codec.decode(ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN).putLong(16, 7), bytes -> {
            read[0] = ((Bytes<?>) bytes).readLong(16);
        });
        assertThat(read[0]).isEqualTo(7);
    }

    @Test
    void shouldLeaveNothingOfAnObjectThatThrows() {
        try (MessageLogger logger = MessageLogger.open(config())) {
            WriteBytesMarshallable broken = bytes -> {
                bytes.writeLong(-1);
                throw new IllegalStateException("broken");
            };
            assertThatIllegalStateException()
                    .isThrownBy(() -> logger.append(broken, codec))
                    .withMessage("broken");
            assertThat(logger.lastSequence()).isZero();
            logger.append(trade.set(1), codec);
            try (Tailer tailer = logger.tailer()) {
                assertThat(tailer.next()).isTrue();
                codec.decode(tailer.payload(), trade.set(0));
                trade.check(1);
            }
        }
    }

    /** Whatever an earlier object has done: written and gone back, or written elsewhere than at the position. */
    @Test
    void shouldWriteZerosWhereAnObjectLeavesAGap() {
        byte[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
        List<WriteBytesMarshallable> earlier = List.of(
                bytes -> bytes.writeLong(-1).writeLong(-1).writeLong(-1),
                bytes -> bytes.writeLong(-1).writeLong(-1).writeLong(-1).writePosition(0),
                bytes -> ((Bytes<?>) bytes).writeLong(0, -1).writeLong(16, -1),
                bytes ->
                        bytes.write(new byte[] {1, 2, 3}).write8bit("some text").append("and more"),
                bytes -> bytes.append(1.0 / 3).append(Long.MIN_VALUE),
                bytes -> bytes.writeUtf8("é".repeat(500)),
                bytes -> bytes.writeSome(ByteBuffer.wrap(ones)).writePosition(0),
                bytes -> bytes.write(BytesStore.wrap(ones), 0L, (long) ones.length)
                        .writePosition(0),
                bytes -> bytes.clearAndPad(50).prewrite(ones).clear(),
                bytes -> ((Bytes<?>) bytes.write(ones)).move(0, 100, ones.length),
                bytes -> {
                    bytes.writeLong(-1).writeLong(-1);
                    throw new IllegalStateException("broken");
                });
        MessageOutput output = new MessageOutput();
        for (int i = 0; i < earlier.size(); i++) {
            try {
                output.encode(earlier.get(i), codec);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("broken");
            }
            assertThat(encoded(bytes -> bytes.writeSkip(1200), output))
                    .as("after object " + i)
                    .isEqualTo(new byte[1200]);
        }
        codec.decode(ByteBuffer.allocate(8).putLong(0, -1), bytes -> {});
        assertThat(encoded(bytes -> bytes.writeSkip(8), output)).isEqualTo(new byte[8]);
    }

    /** Lenient bytes read zeros where there is nothing. */
    @Test
    void shouldForgetHowAnObjectHasSetTheBytes() {
        long[] read = new long[1];
        codec.decode(ByteBuffer.allocate(4), bytes -> {
            bytes.lenient(true);
            read[0] = bytes.readLong();
        });
        assertThatExceptionOfType(BufferUnderflowException.class)
                .isThrownBy(() -> codec.decode(ByteBuffer.allocate(4), bytes -> read[0] = bytes.readLong()));

        WriteBytesMarshallable number = bytes -> bytes.append(0.123456);
        MessageOutput output = new MessageOutput();
        byte[] text = encoded(number, output);
        output.encode(bytes -> bytes.decimaliser(new MaximumPrecision(1)), codec);
        assertThat(encoded(number, output)).isEqualTo(text);
    }

    private byte[] encoded(WriteBytesMarshallable object, MessageOutput output) {
        int length = output.encode(object, codec);
        return Arrays.copyOf(output.array(), length);
    }

    @Test
    void shouldGoOnAfterAnObjectThatReleasesTheBytes() {
        codec.decode(ByteBuffer.allocate(8), bytes -> ((Bytes<?>) bytes).releaseLast());
        long[] read = new long[1];
        codec.decode(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 7), bytes -> {
            read[0] = bytes.readLong();
        });
        assertThat(read[0]).isEqualTo(7);
        assertThat(new MessageOutput().encode(bytes -> bytes.writeLong(1), codec))
                .isEqualTo(8);
    }

    @Test
    void shouldNotAllocate() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        WriteBytesMarshallable object = bytes -> bytes.writeLong(42);
        try (MessageLogger logger = MessageLogger.open(config())) {
            for (int i = 0; i < CALLS; i++) {
                logger.append(object, codec);
            }
            long least = CALLS;
            for (int tries = 0; tries < 5 && least >= CALLS; tries++) { // what is compiled late may load a class
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < CALLS; i++) {
                    logger.append(object, codec);
                }
                least = threads.getCurrentThreadAllocatedBytes() - before;
            }
            assertThat(least).isLessThan(CALLS);
        }
    }
}
