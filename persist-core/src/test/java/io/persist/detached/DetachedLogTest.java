package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.Reachable;
import io.persist.testkit.CrashableStorage;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DetachedLogTest {

    private static final int PRODUCERS = 4;
    private static final int RECORDS = 20_000;

    private final CrashableStorage storage = new CrashableStorage();

    private DetachedLog open() {
        return open(WaitStrategy.BLOCKING);
    }

    private DetachedLog open(WaitStrategy strategy) {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(1 << 16).build();
        return DetachedLog.over(
                Log.open(config, storage),
                DetachedConfig.builder().queueDepth(64).waitStrategy(strategy).build());
    }

    @Test
    void shouldKeepTheOrderOfEachProducer() throws InterruptedException {
        try (DetachedLog log = open()) {
            List<Thread> producers = new ArrayList<>();
            for (int p = 0; p < PRODUCERS; p++) {
                int producer = p;
                Thread thread = new Thread(() -> produce(log, producer));
                thread.start();
                producers.add(thread);
            }
            for (Thread thread : producers) {
                thread.join();
            }
            log.sync();
            long[] next = new long[PRODUCERS];
            try (Tailer tailer = log.tailer()) {
                while (tailer.next()) {
                    ByteBuffer payload = tailer.payload();
                    int producer = payload.getInt();
                    assertThat(payload.getLong()).isEqualTo(next[producer]++);
                }
            }
            assertThat(next).containsOnly(RECORDS);
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** A thread keeps its claim as long as it lives, and a listener refers to the log. */
    @Test
    void shouldNotBeKeptByAThreadThatHasClaimed() {
        WeakReference<DetachedLog> closed = claimAndClose();
        Await.collected("the log is gone", closed);
    }

    private WeakReference<DetachedLog> claimAndClose() {
        try (DetachedLog log = open()) {
            log.listen(Durability.FLUSHED, position -> log.position());
            log.claim(1).publish();
            log.claim(1).abort();
            return new WeakReference<>(log);
        }
    }

    /** An application may keep a closed logger. */
    @Test
    void shouldKeepNoMemoryOfRecordsOnceItIsClosed() {
        int before = Reachable.instances(QueueEntry.class);
        DetachedLog log = open();
        log.claim(1).publish();
        int open = Reachable.instances(QueueEntry.class);
        assertThat(open).isGreaterThan(before);
        log.close();
        Await.until("its entries are gone", () -> Reachable.instances(QueueEntry.class) <= open - 64 + 1);
        assertThatIllegalStateException().isThrownBy(() -> log.claim(1)); // and nothing has let go of the log
    }

    /** Neither a record nor a sync comes after it that could end it. */
    @Test
    void shouldEndACommitThatNothingFollows() {
        try (DetachedLog log = open()) {
            long first = log.append(new byte[8], 0, 8);
            Await.until("the record is written", () -> log.position() == first);
            assertThat(log.committedPosition()).isLessThan(first);
            assertThat(log.commit(Durability.BUFFERED)).isEqualTo(first);
            Await.until("the commit is ended", () -> log.committedPosition() == first);
        }
    }

    /** The writer sees both at once, and has no record to write before it ends. */
    @ParameterizedTest
    @EnumSource(WaitStrategy.class)
    void shouldEndACommitThatAClosingFollows(WaitStrategy strategy) {
        for (int i = 0; i < 20; i++) {
            DetachedLog log = open(strategy);
            long end = log.append(new byte[8], 0, 8);
            Await.until("the record is written", () -> log.position() == end);
            log.commit(Durability.BUFFERED);
            log.close();
            assertThat(log.committedPosition()).isEqualTo(end);
            assertThat(log.statistics().commits()).isEqualTo(1);
        }
    }

    /** The caller would fill it for nothing. */
    @Test
    void shouldNotClaimOnceItIsClosed() {
        DetachedLog log = open();
        log.close();
        assertThatIllegalStateException().isThrownBy(() -> log.claim(8)).withMessage("logger is closed");
    }

    private static void produce(DetachedLog log, int producer) {
        for (long i = 0; i < RECORDS; i++) {
            ByteBuffer record = ByteBuffer.allocate(12 + (int) (i % 90)).order(ByteOrder.LITTLE_ENDIAN);
            record.putInt(producer).putLong(i).rewind();
            long end = log.append(record);
            if (i % 5000 == 0) {
                assertThat(log.commit(Durability.SYNCED)).isGreaterThanOrEqualTo(end);
                assertThat(log.syncedPosition()).isGreaterThanOrEqualTo(end);
            }
        }
    }
}
