package io.persist.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.latency.LongPairs;
import io.persist.bench.latency.PositionTimes;
import io.persist.bench.latency.Target;
import io.persist.bench.record.PatternMessages;
import io.persist.bench.subject.MessageJournal;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import java.nio.file.Path;
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
