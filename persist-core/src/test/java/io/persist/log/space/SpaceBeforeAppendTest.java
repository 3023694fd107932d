package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.error.LogFullException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.space.Headroom.Reserve;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Space that is made before a long record comes, so that its append need not wait for it. */
class SpaceBeforeAppendTest {

    private static final int SEGMENT_LENGTH = 32 << 20;

    /** More than there is ahead without being asked for. */
    private static final int LENGTH = (int) FillPolicy.LEAST_AHEAD + (4 << 20);

    private static final int VALUE_LENGTH = 16 << 10;
    private static final int CHANGES = LENGTH / VALUE_LENGTH;

    @TempDir(factory = InMemory.class)
    Path directory;

    private LogConfig config() {
        return LogConfig.builder(directory).segmentLength(SEGMENT_LENGTH).build();
    }

    @Test
    void shouldLetALongRecordBeAppendedAtOnce() {
        try (Log log = Log.open(config())) {
            byte[] record = new byte[LENGTH];
            log.recordSpace().prepare(LENGTH);
            log.append(record, 0, LENGTH);
            log.recordSpace().prepare(LENGTH); // in the next segment
            log.append(record, 0, LENGTH);
            assertThat(log.statistics().rolls()).isEqualTo(1);
            assertThat(log.statistics().stalls()).isZero();
            assertThat(log.statistics().paces()).isZero();
        }
    }

    /** Negative control: else it waits. */
    @Test
    void shouldBeNeeded() {
        try (Log log = Log.open(config())) {
            log.append(new byte[LENGTH], 0, LENGTH);
            assertThat(log.statistics().stalls() + log.statistics().paces()).isPositive();
        }
    }

    /** A sealed segment may be left for a commit to sync it, for a second: not while that is what is waited for. */
    @Test
    @Timeout(60)
    void shouldNotWaitForASyncThatIsNotDueYet() {
        LogConfig least = LogConfig.builder(directory)
                .segmentLength(4096)
                .maxUnsyncedBytes(4 * 4096)
                .build();
        StoreConfig config =
                StoreConfig.builder(least).checkpointPercent(0).maxSpaceRatio(0).build(); // these sync, too
        try (StoreLogger store = StoreLogger.open(config)) {
            for (int i = 0; i < 100; i++) {
                store.put(Texts.bytes("key-" + i), new byte[3900], Durability.BUFFERED);
            }
            assertThat(store.logStatistics().rolls()).isGreaterThanOrEqualTo(99);
        }
    }

    /** The store's lock is not held for that. It has more than 1,024 changes. */
    @Test
    void shouldBeMadeForALargeTransaction() {
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build())) {
            Transaction transaction = store.begin();
            for (int i = 0; i < CHANGES; i++) {
                transaction.put(Texts.bytes("key-" + i), new byte[VALUE_LENGTH]);
            }
            transaction.commit();
            assertThat(store.logStatistics().stalls()).isZero();
            assertThat(store.logStatistics().paces()).isZero();
        }
    }

    /** The append says it. */
    @Test
    @Timeout(50)
    void shouldNotWaitForADiskThatIsFull() {
        int length = WriterKind.SEGMENT_LENGTH / 2;
        try (Log log = full()) {
            log.recordSpace().prepare(length);
        }
    }

    /** The counters are the appender's: it counts what threads have met that waited for space. */
    @Test
    @Timeout(50)
    void shouldCountRefusals() {
        try (Log log = full()) {
            long before = log.statistics().refusals();
            awaitRefusal(log);
            awaitRefusal(log);
            log.recordSpace().has(1000, 0, Reserve.KEEP);
            assertThat(log.statistics().refusals()).isEqualTo(before + 2);
        }
    }

    /** Half of it for what makes space by and by, all of it for what makes it at once. */
    @Test
    void shouldHaveTheReserveForWhatMakesSpace() {
        int length = WriterKind.SEGMENT_LENGTH;
        CrashableStorage storage = new CrashableStorage().capacityBytes(3 * length);
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            RecordSpace space = log.recordSpace();
            log.append(new byte[length * 3 / 4], 0, length * 3 / 4);
            Await.until("the disk is known to be full", space::isShort);
            assertThat(space.has(length / 4, 0, Reserve.KEEP)).isFalse(); // a segment is kept
            assertThat(space.has(length / 4, 0, Reserve.HALF)).isTrue();
            assertThat(space.has(length * 7 / 8, 0, Reserve.HALF)).isFalse(); // half of half a segment is
            assertThat(space.has(length * 7 / 8, 0, Reserve.USE)).isTrue();
            space.await(length / 4, Reserve.HALF, System.nanoTime(), () -> true);
            assertThatExceptionOfType(LogFullException.class)
                    .isThrownBy(() -> space.await(length / 4, Reserve.KEEP, System.nanoTime(), () -> true));
            storage.capacityBytes(1 << 30);
            Await.until("there is space again", () -> !space.isShort());
            assertThat(space.has(length / 4, 0, Reserve.KEEP)).isTrue();
        }
    }

    /** A thread that waits for space may find out that there is none when the log has just been closed. */
    @Test
    @Timeout(50)
    void shouldTouchNothingOfALogThatIsClosedMeanwhile() {
        List<Class<?>> ends = new ArrayList<>();
        for (int looks = 1; !ends.contains(LogFullException.class); looks++) {
            Log log = full();
            int[] left = {looks};
            Throwable end = catchThrowable(() -> log.recordSpace().await(1000, Reserve.KEEP, System.nanoTime(), () -> {
                awaitRefusal(log);
                if (--left[0] == 0) {
                    log.close();
                }
                return true;
            }));
            assertThat(log.positions().hasFailed()).isFalse();
            if (end instanceof IllegalStateException) {
                assertThat(end).hasMessage("logger is closed");
            }
            if (end != null) {
                ends.add(end.getClass());
            }
            log.close();
        }
        assertThat(ends).containsOnlyOnce(IllegalStateException.class, LogFullException.class);
    }

    private static Log full() {
        CrashableStorage storage = new CrashableStorage().capacityBytes(3 * WriterKind.SEGMENT_LENGTH);
        Log log = Log.open(WriterKind.MAPPED.config().build(), storage);
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> {
            while (true) {
                Records.append(log);
                log.commit(Durability.BUFFERED);
            }
        });
        return log;
    }

    /** A wait that begins and ends within another one: then the attempts that the other one waits for are over, too. */
    private static void awaitRefusal(Log log) {
        assertThatExceptionOfType(LogFullException.class)
                .isThrownBy(() -> log.recordSpace().await(1000, Reserve.KEEP, System.nanoTime(), () -> true));
    }
}
