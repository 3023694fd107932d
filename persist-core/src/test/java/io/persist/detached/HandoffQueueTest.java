package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue on one thread, beside an attached log which is appended the same. */
class HandoffQueueTest {

    private static final HandoffQueue.Handler IGNORE = entry -> {};
    private static final int HANDOFFS = 200_000;

    private final Log attached = openTwoLengths();

    @AfterEach
    void close() {
        attached.close();
    }

    /** Its tail segment has another length than those that follow. */
    private static Log openTwoLengths() {
        CrashableStorage storage = new CrashableStorage();
        LogConfig.Builder config = LogConfig.builder(Path.of("memory"));
        try (Log log = Log.open(config.segmentLength(12_288).build(), storage)) {
            Records.append(log, 3);
        }
        return Log.open(config.segmentLength(1 << 16).build(), storage);
    }

    private HandoffQueue queue(int depth) {
        return queue(depth, Long.MAX_VALUE);
    }

    private HandoffQueue queue(int depth, long maxBytes) {
        return new HandoffQueue(depth, maxBytes, attached.position(), attached.layout());
    }

    /** What of the log a record takes is what it takes of the queue's bytes; only the last one may be too much. */
    @Test
    void shouldTakeNoMoreOnceItHasItsBytes() {
        HandoffQueue queue = queue(16, 3 * 128);
        for (int i = 0; i < 3; i++) {
            assertThat(queue.bytes()).isEqualTo(i * 128L);
            queue.claim(100).publish();
        }
        assertThat(queue.claim(1)).as("full").isNull();
        assertThat(queue.size()).isEqualTo(3);
        assertThat(queue.drain(IGNORE, 1)).isEqualTo(1);
        assertThat(queue.bytes()).isEqualTo(256);
        queue.claim(1000).publish();
        assertThat(queue.claim(0)).as("full, by one record").isNull();
        assertThat(queue.drain(IGNORE, 10)).isEqualTo(3);
        assertThat(queue.bytes()).isZero();
        queue.claim(10_000).publish();
        assertThat(queue.bytes()).as("an empty queue takes any record").isGreaterThan(10_000);
        assertThat(queue.claim(0)).as("full, by a long record").isNull();
        assertThat(queue.drain(IGNORE, 10)).isEqualTo(1);
    }

    /** As the writer thread goes on, and not only when it has nothing left to take. */
    @Test
    void shouldGiveBackBytesWhileItIsDrained() {
        HandoffQueue queue = queue(64, 4096);
        for (QueueEntry entry = queue.claim(500); entry != null; entry = queue.claim(500)) {
            entry.publish();
        }
        long[] most = {0};
        int taken = queue.drain(
                entry -> {
                    QueueEntry next = queue.claim(500);
                    if (next != null && most[0]++ < 100) {
                        next.publish();
                    }
                },
                50);
        assertThat(taken).isEqualTo(50);
        assertThat(most[0]).as("records that came meanwhile").isPositive();
    }

    @Test
    void shouldNotKeepTheMemoryOfLongRecords() {
        HandoffQueue queue = queue(4, 16_384);
        for (int length : new int[] {100, 4096, 4097, 10_000}) {
            for (int i = 0; i < 4; i++) {
                QueueEntry entry = queue.claim(length);
                entry.put(new byte[length], 0);
                entry.publish();
                assertThat(queue.drain(IGNORE, 4)).isEqualTo(1);
                assertThat(entry.capacity()).isEqualTo(length <= 4096 ? length : 0);
            }
        }
    }

    @Test
    void shouldKeepTheMemoryOfShortRecordsHoweverFewBytesThereAre() {
        HandoffQueue queue = queue(4, 10);
        QueueEntry entry = queue.claim(1024);
        entry.publish();
        assertThat(queue.drain(IGNORE, 4)).isEqualTo(1);
        assertThat(entry.capacity()).isEqualTo(1024);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 32_768})
    void shouldHandOverWhatWasPublishedInItsOrderAtThePositionsOfTheLog(int depth) {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            HandoffQueue queue = queue(depth);
            ArrayDeque<byte[]> waiting = new ArrayDeque<>();
            boolean[] commit = {false};
            ArrayDeque<Boolean> commits = new ArrayDeque<>();
            long appended = 0;
            while (appended < 150_000) {
                int burst = 1 + random.nextInt(Math.min(depth, 1000));
                for (int i = 0; i < burst && waiting.size() < depth; i++) {
                    byte[] record = Records.of(appended++, random.nextInt(60));
                    QueueEntry entry = queue.claim(record.length);
                    long end = attached.append(record, 0, record.length);
                    assertThat(entry.end()).isEqualTo(end);
                    assertThat(queue.position()).isEqualTo(end);
                    entry.put(record, 0);
                    entry.publish();
                    waiting.add(record);
                    commits.add(commit[0]);
                    commit[0] = false;
                    if (random.nextInt(5) == 0) {
                        assertThat(queue.endCommit()).isEqualTo(end);
                        commit[0] = true;
                    }
                }
                assertThat(queue.size()).isEqualTo(waiting.size());
                if (waiting.size() == depth) {
                    assertThat(queue.claim(1)).as("full").isNull();
                }
                assertThat(queue.isReady()).isTrue();
                int limit = 1 + random.nextInt(Math.min(2 * depth, 2000));
                int expected = Math.min(limit, waiting.size());
                int taken = queue.drain(
                        entry -> {
                            byte[] record = waiting.remove();
                            assertThat(entry.length()).isEqualTo(record.length);
                            assertThat(ByteBuffer.wrap(entry.bytes(), 0, record.length))
                                    .isEqualTo(ByteBuffer.wrap(record));
                            assertThat(entry.startsCommit()).isEqualTo(commits.remove());
                        },
                        limit);
                assertThat(taken).isEqualTo(expected);
                assertThat(queue.endsWithCommit()).isEqualTo(waiting.isEmpty() && commit[0]);
            }
        });
    }

    /** A look at the two ends is not one step: meanwhile the queue goes on, and has never more than one entry. */
    @Test
    void shouldTellItsSizeWhileItIsUsed() {
        HandoffQueue queue = queue(16);
        CompletableFuture<Void> use = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < HANDOFFS; i++) {
                queue.claim(1).publish();
                queue.drain(IGNORE, 1);
            }
        });
        int most = 0;
        while (!use.isDone()) {
            most = Math.max(most, queue.size());
        }
        use.join();
        assertThat(most).isLessThanOrEqualTo(1);
    }

    @Test
    void shouldHoldBackWhatComesAfterARecordThatIsNotPublished() {
        HandoffQueue queue = queue(4);
        QueueEntry first = queue.claim(1);
        QueueEntry second = queue.claim(2);
        second.publish();
        assertThat(queue.isReady()).isFalse();
        assertThat(queue.drain(IGNORE, 10)).isZero();
        assertThat(queue.size()).isEqualTo(2);
        first.publish();
        assertThat(queue.isReady()).isTrue();
        assertThat(queue.drain(IGNORE, 10)).isEqualTo(2);
        assertThat(queue.isReady()).isFalse();
    }

    @Test
    void shouldKeepARecordThatItsHandlerRefuses() {
        HandoffQueue queue = queue(4);
        for (int i = 0; i < 3; i++) {
            queue.claim(i).publish();
        }
        Throwable thrown = catchThrowable(() -> queue.drain(
                entry -> {
                    if (entry.length() == 1) {
                        throw new IllegalArgumentException("not now");
                    }
                },
                10));
        assertThat(thrown).hasMessage("not now");
        assertThat(queue.size()).isEqualTo(2);
        int[] first = {-1};
        queue.drain(entry -> first[0] = first[0] < 0 ? entry.length() : first[0], 10);
        assertThat(first[0]).isEqualTo(1);
        assertThat(queue.size()).isZero();
    }

    @Test
    void shouldGrowAnEntryAndKeepItsMemory() {
        HandoffQueue queue = queue(1);
        byte[] memory = new byte[0];
        for (int length : new int[] {0, 10, 1000, 5, 1000, 999}) {
            QueueEntry entry = queue.claim(length);
            assertThat(entry.capacity()).isGreaterThanOrEqualTo(length);
            assertThat(entry.bytes() == memory).isEqualTo(memory.length >= length && length > 0);
            memory = entry.bytes();
            entry.publish();
            queue.drain(IGNORE, 1);
        }
    }

    @Test
    void shouldTakeNothingMoreAfterItsClose() {
        HandoffQueue queue = queue(4);
        queue.claim(1).publish();
        QueueEntry late = queue.claim(1);
        queue.endCommit();
        assertThat(queue.isClosed()).isFalse();
        queue.close();
        queue.close();
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.isFinished()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> queue.claim(1)).withMessage("logger is closed");
        assertThatIllegalStateException().isThrownBy(queue::endCommit).withMessage("logger is closed");
        assertThat(queue.drain(IGNORE, 10)).isEqualTo(1);
        assertThat(queue.isFinished()).as("a claim is open").isFalse();
        late.publish();
        assertThat(queue.drain(IGNORE, 10)).isEqualTo(1);
        assertThat(queue.isFinished()).isTrue();
        assertThat(queue.endsWithCommit()).isTrue();
    }

    @Test
    void shouldSayClosedEvenWhenItIsFull() {
        HandoffQueue queue = queue(1);
        queue.claim(1).publish();
        assertThat(queue.claim(1)).isNull();
        queue.close();
        assertThatIllegalStateException().isThrownBy(() -> queue.claim(1)).withMessage("logger is closed");
    }

    @Test
    void shouldEndACommitWithNothingInItOnlyOnce() {
        HandoffQueue queue = queue(2);
        long start = queue.position();
        assertThat(queue.endsWithCommit()).isFalse();
        assertThat(queue.endCommit()).isEqualTo(start);
        assertThat(queue.endCommit()).isEqualTo(start);
        assertThat(queue.endsWithCommit()).isTrue();
        QueueEntry entry = queue.claim(3);
        assertThat(entry.startsCommit()).isTrue();
        assertThat(queue.endsWithCommit()).isFalse();
        assertThat(queue.claim(3).startsCommit()).isFalse();
    }
}
