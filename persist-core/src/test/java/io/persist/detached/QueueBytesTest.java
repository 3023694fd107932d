package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.error.QueueFullException;
import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.HeldSyncs;
import io.persist.support.InMemory;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue is full when it has its bytes, whatever its depth; and large records do not fill the heap. */
class QueueBytesTest {

    private static final int QUEUE_BYTES = 100_000;
    private static final byte[] RECORD = new byte[10_000];

    @TempDir(factory = InMemory.class)
    Path directory;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private DetachedLog log;

    /** Opens a log whose writer thread is in a sync. */
    private void openHeld(DetachedConfig.Builder config) {
        LogConfig logConfig =
                LogConfig.builder(Path.of("memory")).segmentLength(1 << 20).build();
        log = DetachedLog.over(
                Log.open(logConfig, storage), config.queueBytes(QUEUE_BYTES).build());
        storage.hook(syncs);
        syncs.hold();
        log.append(RECORD, 0, 1);
        log.reached(log.position(), Durability.SYNCED);
        syncs.awaitHeld();
    }

    @AfterEach
    void close() {
        syncs.releaseAll();
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).isZero();
    }

    private int appendUntilFull() {
        for (int i = 0; i < 1000; i++) {
            try {
                log.append(RECORD, 0, RECORD.length);
            } catch (QueueFullException full) {
                assertThat(full)
                        .hasMessageContaining("queue is full: entries=" + i + ", queueDepth=1024, bytes=")
                        .hasMessageContaining("queueBytes=" + QUEUE_BYTES);
                return i;
            }
        }
        throw new AssertionError("the queue is never full");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void shouldRefuseWhatIsTooMuch(long timeoutMs) {
        openHeld(DetachedConfig.builder().waitWhenFull(Duration.ofMillis(timeoutMs)));
        assertThat(appendUntilFull()).isEqualTo(QUEUE_BYTES / RECORD.length);
        assertThatExceptionOfType(QueueFullException.class)
                .isThrownBy(() -> log.append(RECORD, 0, 0))
                .withMessageContaining("bytes");
        syncs.releaseAll();
        log.sync();
        log.append(RECORD, 0, RECORD.length);
        assertThat(log.statistics().queueFull()).isPositive();
    }

    @Test
    void shouldWaitUntilThereIsRoom() {
        openHeld(DetachedConfig.builder());
        for (int i = 0; i < QUEUE_BYTES / RECORD.length; i++) {
            log.append(RECORD, 0, RECORD.length);
        }
        Thread[] producer = new Thread[1];
        CompletableFuture<Long> next = CompletableFuture.supplyAsync(
                () -> {
                    producer[0] = Thread.currentThread();
                    return log.append(RECORD, 0, RECORD.length);
                },
                work -> new Thread(work).start());
        Await.until("it waits", () -> producer[0] != null && producer[0].getState() == Thread.State.TIMED_WAITING);
        assertThat(next).isNotDone();
        syncs.releaseAll();
        long end = next.join();
        log.flush();
        assertThat(end).isEqualTo(log.position());
    }

    @Test
    void shouldTakeARecordThatIsLongerThanTheQueue() {
        LogConfig logConfig =
                LogConfig.builder(Path.of("memory")).segmentLength(1 << 20).build();
        log = DetachedLog.over(
                Log.open(logConfig, storage),
                DetachedConfig.builder().queueBytes(4096).build());
        byte[] longRecord = new byte[500_000];
        for (int i = 0; i < 20; i++) {
            log.append(longRecord, 0, longRecord.length);
            log.append(RECORD, 0, 10);
        }
        log.commit(Durability.FLUSHED);
        assertThat(log.lastSequence()).isEqualTo(40);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 4095, (1L << 40) + 1, Long.MAX_VALUE})
    void shouldRefuseBytesOutOfBounds(long bytes) {
        DetachedConfig.Builder builder = DetachedConfig.builder().queueBytes(bytes);
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("queueBytes=" + bytes + ", min=4096, max=1099511627776");
    }

    @Test
    void shouldHaveAQuarterOfTheHeapAndNotTooMuch() {
        long quarter = Runtime.getRuntime().maxMemory() / 4;
        assertThat(DetachedConfig.builder().build().queueBytes()).isEqualTo(Math.min(64 << 20, quarter));
    }

    /** With more records of 4 MiB than a heap of 64 MiB has room for, appended and claimed. */
    @Test
    void shouldNotFillTheHeapWithLargeRecords() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("64m", LargeRecords.class, directory))) {
            assertThat(child.hear()).isEqualTo("read " + LargeRecords.COUNT + " records");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    /** The child: appends, claims in many threads that go on to live, and reads all back. */
    static final class LargeRecords {

        private static final int COUNT = 80;
        private static final int LENGTH = 4 << 20;

        private LargeRecords() {}

        public static void main(String[] arguments) throws Exception {
            LogConfig config = LogConfig.builder(Path.of(arguments[0]))
                    .segmentLength(32 << 20)
                    .build();
            DetachedLog log =
                    DetachedLog.over(Log.open(config), DetachedConfig.builder().build());
            byte[] record = new byte[LENGTH];
            for (int i = 0; i < COUNT - 20; i++) {
                Arrays.fill(record, (byte) i);
                log.append(record, 0, LENGTH);
            }
            for (int i = COUNT - 20; i < COUNT; i++) {
                int number = i;
                CompletableFuture<Void> claimed = new CompletableFuture<>();
                Thread thread = new Thread(() -> {
                    claim(log, number, claimed);
                    LockSupport.park(); // its memory is its own as long as it lives
                });
                thread.setDaemon(true);
                thread.start();
                claimed.join();
            }
            log.close();
            System.out.println("read " + read(config) + " records");
        }

        private static void claim(DetachedLog log, int number, CompletableFuture<Void> claimed) {
            try {
                Claim claim = log.claim(LENGTH);
                while (claim.payload().hasRemaining()) {
                    claim.payload().put((byte) number);
                }
                claim.publish();
                claimed.complete(null);
            } catch (Throwable e) {
                claimed.completeExceptionally(e);
            }
        }

        private static int read(LogConfig config) {
            int count = 0;
            try (Tailer tailer = Tailer.open(config.directory())) {
                while (tailer.next()) {
                    ByteBuffer payload = tailer.payloadUntilNext();
                    boolean isRight = payload.remaining() == LENGTH
                            && payload.get(payload.position()) == (byte) count
                            && payload.get(payload.limit() - 1) == (byte) count;
                    count += isRight ? 1 : 0;
                }
            }
            return count;
        }
    }
}
