package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.testkit.CrashableStorage;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user does wrong with a claim costs no byte of a record, and no other call of the logger. */
@ParameterizedClass
@EnumSource
class ClaimTest {

    enum Way {
        MAPPED,
        FILE,
        DETACHED
    }

    @Parameter
    Way way;

    private MessageLogger logger;

    private static LogConfig.Builder config() {
        return LogConfig.builder(Path.of("memory")).segmentLength(1 << 16);
    }

    @BeforeEach
    void open() {
        CrashableStorage storage = new CrashableStorage();
        LogConfig config = config().writeMode(way == Way.FILE ? WriteMode.FILE : WriteMode.MAPPED)
                .build();
        logger = way == Way.DETACHED
                ? MessageLogger.open(config, DetachedConfig.builder().build(), storage)
                : MessageLogger.open(config, storage);
    }

    @AfterEach
    void close() {
        logger.close();
    }

    private List<byte[]> messages() {
        List<byte[]> messages = new ArrayList<>();
        logger.flush();
        try (Tailer tailer = logger.tailer()) {
            while (tailer.next()) {
                messages.add(tailer.payloadBytes());
            }
        }
        return messages;
    }

    @Test
    void shouldCutNothingOffARecordForWhichTheBufferWasMadeLonger() {
        Claim claim = logger.claim(8);
        claim.payload().clear().put(new byte[256]);
        assertThatIllegalStateException()
                .isThrownBy(claim::publish)
                .withMessageContaining("limit=256, length=8; the record was not accepted");
        assertThatIllegalStateException().isThrownBy(claim::publish).withMessage("no claim is open");
        logger.append(new byte[] {1});
        assertThat(messages()).containsExactly(new byte[] {1});
    }

    /** As Agrona's buffers do: they go by the capacity, which is that of the longest record so far or more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 13, 248, 251, 255, 1000})
    void shouldCutNothingOffARecordThatWasFilledByWayOfItsArray(int length) {
        logger.append(new byte[] {1});
        Claim claim = logger.claim(length);
        byte[] array = claim.payload().array();
        if (array.length > length) {
            array[length] = 2;
            assertThatIllegalStateException()
                    .isThrownBy(claim::publish)
                    .withMessageContaining("length=" + length + "; the record was not accepted");
            assertThatIllegalStateException().isThrownBy(claim::publish).withMessage("no claim is open");
        } else {
            claim.abort();
        }
        try (Claim good = logger.claim(length)) {
            Arrays.fill(good.payload().array(), 0, length, (byte) 3);
            good.publish();
        }
        byte[] whole = new byte[length];
        Arrays.fill(whole, (byte) 3);
        assertThat(messages()).containsExactly(new byte[] {1}, whole);
    }

    @Test
    void shouldTakeTheWholeRecordWhereverThePositionAndAShorterLimitAre() {
        try (Claim claim = logger.claim(4)) {
            claim.payload().putInt(7).rewind();
            claim.publish();
        }
        try (Claim claim = logger.claim(4)) {
            claim.payload().putInt(5).flip();
            claim.publish();
        }
        try (Claim claim = logger.claim(4)) {
            claim.payload().putInt(6).position(2).flip();
            claim.publish();
        }
        assertThat(messages())
                .containsExactly(new byte[] {7, 0, 0, 0}, new byte[] {5, 0, 0, 0}, new byte[] {6, 0, 0, 0});
    }

    @Test
    void shouldEndWithTheBlockThatCouldNotFillIt() {
        assertThatExceptionOfType(BufferOverflowException.class).isThrownBy(() -> {
            try (Claim claim = logger.claim(4)) {
                claim.payload().putLong(1);
                claim.publish();
            }
        });
        try (Claim claim = logger.claim(1)) {
            claim.payload().put((byte) 2);
            claim.publish();
        }
        assertThat(messages()).containsExactly(new byte[] {2});
    }

    @Test
    void shouldBeGivenUpByCodeThatHasLostIt() {
        logger.claim(4).payload().put((byte) 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> logger.claim(4))
                .withMessageStartingWith("a claim is open, begun by " + Thread.currentThread() + ": ")
                .withMessageEndingWith("call MessageLogger.abortClaim()");
        logger.abortClaim();
        logger.abortClaim(); // does nothing
        try (Claim claim = logger.claim(1)) {
            claim.payload().put((byte) 2);
            claim.publish();
            logger.abortClaim();
        }
        assertThat(messages()).containsExactly(new byte[] {2});
    }

    /** Threads that share an attached log under a lock share its claim, too. */
    @Test
    void shouldNameTheThreadThatHasLostIt() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try (MessageLogger shared = MessageLogger.open(config().guardedBy(lock).build(), new CrashableStorage())) {
            lock.unlock();
            Thread loser = new Thread(
                    () -> {
                        lock.lock();
                        shared.claim(4);
                        lock.unlock();
                    },
                    "loser");
            loser.start();
            loser.join();
            assertThatIllegalStateException().isThrownBy(shared::abortClaim).withMessageContaining("without that lock");
            lock.lock();
            assertThatIllegalStateException()
                    .isThrownBy(() -> shared.append(ByteBuffer.allocate(1)))
                    .withMessageContaining("begun by Thread[")
                    .withMessageContaining("loser");
            shared.abortClaim();
            shared.append(ByteBuffer.allocate(1));
            lock.unlock();
        }
    }
}
