package io.persist.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.latency.LongPairs;
import io.persist.bench.latency.PositionTimes;
import io.persist.bench.latency.Target;
import io.persist.bench.record.PatternMessages;
import io.persist.bench.subject.MessageJournal;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A journal, and who follows it: a commit becomes durable and is noted without anybody who waits for it. */
class PositionFollowerTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @Timeout(60)
    @CsvSource({
        "MAPPED, BUFFERED",
        "MAPPED, FLUSHED",
        "MAPPED, SYNCED",
        "FILE, BUFFERED",
        "FILE, FLUSHED",
        "FILE, SYNCED"
    })
    void shouldNoteEachCommitWhenItIsDurable(WriteMode mode, Durability level) {
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(1 << 20)
                .writeMode(mode)
                .durability(level)
                .build();
        DetachedConfig detached = DetachedConfig.builder().build();
        try (Journal journal = MessageJournal.open(config, detached, new PatternMessages(40), 1)) {
            PositionTimes times = new PositionTimes(System::nanoTime, journal.reached(level));
            PositionFollower follower = PositionFollower.start(journal, level, mode, times);
            Target target = journal.target(0);
            for (int i = 0; i < 3; i++) {
                target.prepare(i);
                long startNs = System.nanoTime();
                long end = target.write();
                target.commit();
                LongPairs noted = awaitNote(times);

                assertThat(noted.first(noted.size() - 1)).isEqualTo(end);
                assertThat(noted.second(noted.size() - 1)).isGreaterThan(startNs);
                assertThat(journal.reached(level)).isEqualTo(end);
            }
            follower.close();

            assertThat(times.take(new LongPairs(1)).size()).isZero();
        }
    }

    /** Else the times that it has noted until then would be those of the run. */
    @Test
    @Timeout(60)
    void shouldSayThatItsThreadHasFailed() throws InterruptedException {
        LogConfig config = LogConfig.builder(directory).segmentLength(1 << 20).build();
        try (Journal journal = MessageJournal.open(config, null, new PatternMessages(40), 1)) {
            PositionTimes times = new PositionTimes(System::nanoTime, 0);
            CountDownLatch waits = new CountDownLatch(1);
            PositionFollower follower =
                    PositionFollower.start(failing(journal, waits), Durability.BUFFERED, WriteMode.FILE, times);
            waits.await();
            assertThatThrownBy(() -> follower.await(new WriteLoop.Written(0, 0, 0, 0)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith("AssertionError: of a test");
            follower.close();
        }
    }

    /** A journal that fails whoever waits with a bound. */
    private static Journal failing(Journal journal, CountDownLatch waits) {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("await") && !arguments[2].equals(ChronoUnit.FOREVER.getDuration())) {
                        waits.countDown();
                        throw new AssertionError("of a test");
                    }
                    return method.invoke(journal, arguments);
                });
    }

    private static LongPairs awaitNote(PositionTimes times) {
        LongPairs noted = times.take(new LongPairs(1));
        while (noted.size() == 0) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            Thread.onSpinWait();
            noted = times.take(new LongPairs(1));
        }
        return noted;
    }
}
