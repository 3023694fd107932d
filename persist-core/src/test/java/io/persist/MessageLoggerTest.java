package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.codec.Decoder;
import io.persist.codec.Encoder;
import io.persist.codec.MessageOutput;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.support.Buffers;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    private record Trade(long price, String symbol) {}

    /** A user's codec. */
    private static final class TradeCodec implements Encoder<Trade>, Decoder<Trade> {

        @Override
        public void encode(Trade trade, MessageOutput output) {
            output.extend(Long.BYTES).putLong(trade.price);
            output.write(trade.symbol.getBytes(UTF_8));
        }

        @Override
        public Trade decode(ByteBuffer payload) {
            return new Trade(payload.getLong(), UTF_8.decode(payload).toString());
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

    /** Only this thread can flush, and it cannot before the claim has ended. */
    @Test
    void shouldNotWaitForItself() throws InterruptedException {
        long end = logger.append(new byte[10]);
        Claim claim = logger.claim(10);
        assertThat(logger.await(end, Durability.BUFFERED, Duration.ZERO)).isTrue();
        if (mode == WriteMode.FILE) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> logger.await(end, Durability.FLUSHED, Duration.ZERO))
                    .withMessageContaining("a claim is open");
        } else {
            assertThat(logger.await(end, Durability.FLUSHED, Duration.ZERO)).isTrue();
        }
        claim.publish();
        assertThat(logger.await(end, Durability.FLUSHED, Duration.ZERO)).isTrue();
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
        long end = logger.append(message, (bytes, output) -> output.write(bytes));
        assertThat(end).isEqualTo(logger.position());
        assertThat(messages()).hasSize(8).allSatisfy(read -> assertThat(read).isEqualTo(message));
    }

    @Test
    void shouldReadBackAnObject() {
        TradeCodec codec = new TradeCodec();
        for (int i = 0; i < 5; i++) {
            logger.append(new Trade(i, "é".repeat(i * 200)), codec);
        }
        logger.flush();
        try (Tailer tailer = logger.tailer()) {
            for (int i = 0; i < 5; i++) {
                assertThat(tailer.next()).isTrue();
                assertThat(codec.read(tailer.payload())).isEqualTo(new Trade(i, "é".repeat(i * 200)));
            }
            assertThat(tailer.next()).isFalse();
        }
    }

    @Test
    void shouldLeaveNothingOfAMessageWhoseSourceThrows() {
        logger.append(new byte[5]);
        long position = logger.position();
        Encoder<String> broken = (message, output) -> {
            output.extend(Long.BYTES).putLong(-1);
            throw new IllegalStateException(message);
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> logger.append("broken", broken))
                .withMessage("broken");
        Encoder<String> unwilling = (message, output) -> {
            throw new IOException(message);
        };
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> logger.append("no such message", unwilling))
                .withMessage("cannot encode the message: no such message");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> logger.append(Buffers.direct(new byte[3]), 0, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> logger.append(new byte[1 << 16]));
        assertThat(logger.position()).isEqualTo(position);
        logger.append(new byte[6]);
        assertThat(messages()).containsExactly(new byte[5], new byte[6]);
    }

    /** The record is not too long for the log: there is no such range of the array. */
    @Test
    void shouldSayThatARangeIsNotInTheArray() {
        for (int[] wrong :
                new int[][] {{Integer.MAX_VALUE, Integer.MAX_VALUE}, {0, 1 << 20}, {2, 2}, {-1, 1}, {0, -1}}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> logger.append(new byte[3], wrong[0], wrong[1]));
        }
        logger.append(new byte[6]);
        assertThat(messages()).containsExactly(new byte[6]);
    }

    /** What an encoder appends itself comes before its message, and has an output of its own. */
    @Test
    void shouldLetAnEncoderAppend() {
        Encoder<Integer> nested = (length, output) -> {
            output.write(new byte[length]);
            logger.append(length + 1, (longer, inner) -> inner.write(new byte[longer]));
            output.write(new byte[length]);
        };
        logger.append(5, nested);
        assertThat(messages()).containsExactly(new byte[6], new byte[10]);
    }

    @Test
    void shouldCommitAtTheConfiguredLevel() throws InterruptedException {
        logger.append(new byte[5]);
        assertThat(logger.commit(Durability.BUFFERED)).isEqualTo(logger.committedPosition());
        assertThat(logger.syncedPosition()).isLessThan(logger.position());
        assertThat(logger.commit()).isEqualTo(logger.position());
        assertThat(logger.syncedPosition()).isEqualTo(logger.position());
        assertThat(logger.statistics().syncs()).isPositive();
        assertThat(logger.await(logger.position(), Durability.SYNCED, Duration.ZERO))
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
                assertThat(onDisk.recovery().kept().lastSequence()).isEqualTo(life);
                onDisk.append(new byte[] {(byte) life});
            }
        }
        try (Tailer tailer = Tailer.open(config(directory).directory())) {
            for (byte life = 0; life < 3; life++) {
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.payload().get()).isEqualTo(life);
            }
            assertThat(tailer.next()).isFalse();
        }
    }
}
