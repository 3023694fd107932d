package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.codec.ObjectCodec;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.Tailer;
import io.persist.log.WriteMode;
import io.persist.support.Buffers;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesMarshallable;
import net.openhft.chronicle.bytes.BytesOut;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(WriteMode.class)
class MessageLoggerTest {

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
    }

    @Parameter
    WriteMode mode;

    private final CrashableStorage storage = new CrashableStorage();
    private MessageLogger logger;

    @BeforeEach
    void open() {
        logger = MessageLogger.open(config(Path.of("memory")), storage);
    }

    private LogConfig config(Path directory) {
        return LogConfig.builder(directory)
                .segmentLength(1 << 16)
                .writeMode(mode)
                .prefill(Prefill.BACKGROUND)
                .durability(Durability.SYNCED)
                .build();
    }

    @AfterEach
    void close() {
        logger.close();
        assertThat(storage.openHandles()).isZero();
    }

    private List<byte[]> messages() {
        List<byte[]> messages = new ArrayList<>();
        logger.flush();
        try (Tailer tailer = logger.tailer()) {
            tailer.poll(
                    (position, sequence, payload) -> {
                        byte[] message = new byte[payload.remaining()];
                        payload.get(message);
                        messages.add(message);
                    },
                    Integer.MAX_VALUE);
        }
        return messages;
    }

    @Test
    void shouldKeepMessagesOfEverySource() {
        byte[] message = Records.of(1, 33);
        byte[] padded = new byte[40];
        System.arraycopy(message, 0, padded, 4, 33);
        logger.append(message);
        logger.append(padded, 4, 33);
        logger.append(ByteBuffer.wrap(padded, 4, 33));
        logger.append(ByteBuffer.allocateDirect(33).put(0, message));
        logger.append(ByteBuffer.wrap(padded, 4, 33).asReadOnlyBuffer());
        logger.append(Buffers.direct(padded), 4, 33);
        Claim claim = logger.claim(33);
        claim.payload().put(message);
        claim.publish();
        long end = logger.append((WriteBytesMarshallable) bytes -> bytes.write(message));
        assertThat(end).isEqualTo(logger.position());
        assertThat(messages()).hasSize(8).allSatisfy(read -> assertThat(read).isEqualTo(message));
    }

    @Test
    void shouldReadBackAnObject() {
        Trade trade = new Trade();
        ObjectCodec codec = new ObjectCodec();
        for (int i = 0; i < 5; i++) {
            trade.price = i;
            trade.symbol = "é".repeat(i * 200);
            logger.append(trade);
        }
        logger.flush();
        try (Tailer tailer = logger.tailer()) {
            Trade read = new Trade();
            for (int i = 0; i < 5; i++) {
                assertThat(tailer.next()).isTrue();
                int length = tailer.payload().remaining();
                codec.decode(tailer.payload(), read);
                assertThat(read.price).isEqualTo(i);
                assertThat(read.symbol).isEqualTo("é".repeat(i * 200));
                assertThat(tailer.payload().remaining()).isEqualTo(length);
            }
            assertThat(tailer.next()).isFalse();
        }
    }

    @Test
    void shouldLeaveNothingOfAMessageWhoseSourceThrows() {
        logger.append(new byte[5]);
        long position = logger.position();
        WriteBytesMarshallable broken = bytes -> {
            bytes.writeLong(-1);
            throw new IllegalStateException("broken");
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> logger.append(broken))
                .withMessage("broken");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> logger.append(Buffers.direct(new byte[3]), 0, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> logger.append(new byte[1 << 16]));
        assertThat(logger.position()).isEqualTo(position);
        logger.append(new byte[6]);
        assertThat(messages()).containsExactly(new byte[5], new byte[6]);
    }

    @Test
    void shouldCommitAtTheConfiguredLevel() {
        logger.append(new byte[5]);
        assertThat(logger.commit(Durability.BUFFERED)).isEqualTo(logger.committedPosition());
        assertThat(logger.syncedPosition()).isLessThan(logger.position());
        assertThat(logger.commit()).isEqualTo(logger.position());
        assertThat(logger.syncedPosition()).isEqualTo(logger.position());
        assertThat(logger.statistics().syncs()).isPositive();
        assertThat(logger.await(logger.position(), Durability.SYNCED, 0, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void shouldTellFlushFromSync() {
        logger.append(new byte[5]);
        logger.flush();
        assertThat(logger.flushedPosition()).isEqualTo(logger.position());
        assertThat(logger.syncedPosition()).isLessThan(logger.position());
        logger.sync();
        assertThat(logger.syncedPosition()).isEqualTo(logger.position());
    }

    @Test
    void shouldRetireOldMessages() {
        for (int i = 0; i < 200; i++) {
            logger.append(new byte[1000]);
        }
        RetentionPlan plan = logger.planRetention(RetentionRule.keepBytes(0));
        assertThat(plan.retired()).hasSize(3);
        logger.retire(plan, Retirement.DELETE);
        logger.flush();
        try (Tailer tailer = logger.tailer()) {
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isGreaterThan(1);
            tailer.toPosition(logger.lastPosition());
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isEqualTo(200).isEqualTo(logger.lastSequence());
        }
    }

    @Test
    void shouldKeepMessagesInADirectory(@TempDir Path directory) {
        for (int life = 0; life < 3; life++) {
            try (MessageLogger onDisk = MessageLogger.open(config(directory))) {
                assertThat(onDisk.recovery().lastSequence()).isEqualTo(life);
                onDisk.append(new byte[] {(byte) life});
            }
        }
        try (Tailer tailer = Tailer.open(config(directory))) {
            for (byte life = 0; life < 3; life++) {
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.payload().get()).isEqualTo(life);
            }
            assertThat(tailer.next()).isFalse();
        }
    }
}
