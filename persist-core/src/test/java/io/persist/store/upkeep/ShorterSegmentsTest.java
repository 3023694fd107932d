package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store with values that do not fit its segments any more, because these are shorter than they were. */
class ShorterSegmentsTest {

    private static final int LONG_SEGMENT = 64 << 10;
    private static final int SHORT_SEGMENT = 4 << 10;
    private static final int LARGE_VALUES = 10;
    private static final int SMALL_VALUES = 100;
    private static final int LARGE_LENGTH = 5_000;

    private final CrashableStorage storage = new CrashableStorage();

    private StoreLogger open(int segmentLength) {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(segmentLength).build();
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        return StoreLogger.open(config, storage, storage);
    }

    private static byte[] large(int number) {
        return Texts.bytes("large/" + number);
    }

    private static byte[] small(int number) {
        return Texts.bytes("small/" + number);
    }

    /** In each segment a large value among small ones, of which most are overwritten later. */
    @BeforeEach
    void fill() {
        try (StoreLogger store = open(LONG_SEGMENT)) {
            for (int i = 0; i < LARGE_VALUES; i++) {
                store.put(small(i), new byte[1_000]);
                store.put(large(i), new byte[LARGE_LENGTH]);
                for (int j = LARGE_VALUES; j < SMALL_VALUES; j++) {
                    store.put(small(j), new byte[1_000]);
                }
            }
        }
    }

    private static StoreStatistics compact(StoreLogger store) {
        store.compact(Long.MAX_VALUE);
        return store.statistics();
    }

    private static void check(StoreLogger store) {
        for (int i = 0; i < SMALL_VALUES; i++) {
            assertThat(store.getBytes(small(i))).hasSize(1_000);
        }
    }

    @Test
    void shouldMoveAllThatFits() {
        try (StoreLogger store = open(SHORT_SEGMENT)) {
            StoreStatistics now = compact(store);
            check(store);
            assertThat(now.compaction().damagedSegments()).isZero();
            assertThat(now.compaction().unmovableSegments()).isBetween(LARGE_VALUES / 2, LARGE_VALUES);
            assertThat(now.compaction().movedBytes()).as("the small ones").isGreaterThan(LARGE_VALUES * 1_000L);
            for (int i = 0; i < LARGE_VALUES; i++) {
                assertThat(store.getBytes(large(i))).hasSize(LARGE_LENGTH);
                store.remove(large(i));
            }
            now = compact(store);
            check(store);
            assertThat(now.compaction().unmovableSegments()).isZero();
            assertThat(now.spaceRatio()).isLessThan(1.5);
        }
    }

    /** A step that asks for space for a value which it cannot move would have segments made for all of that. */
    @Test
    void shouldMakeNoSegmentsForWhatDoesNotFit() {
        int valueLength = 1_000 * SHORT_SEGMENT;
        try (StoreLogger store = open(2 * valueLength)) {
            store.put(large(0), new byte[valueLength]);
            store.put(Texts.bytes("other"), new byte[valueLength]);
            store.remove(Texts.bytes("other"));
        }
        try (StoreLogger store = open(SHORT_SEGMENT)) {
            assertThat(compact(store).compaction().unmovableSegments()).isPositive();
            check(store);
            long ahead = storage.list().stream()
                    .flatMapToLong(name -> LogFileName.basePosition(name).stream())
                    .filter(base -> base >= store.position())
                    .count();
            assertThat(ahead).isLessThan(valueLength / SHORT_SEGMENT);
        }
    }

    @Test
    void shouldMoveTheRestWhenSegmentsAreLongAgain() {
        try (StoreLogger store = open(SHORT_SEGMENT)) {
            assertThat(compact(store).compaction().unmovableSegments()).isPositive();
        }
        try (StoreLogger store = open(LONG_SEGMENT)) {
            StoreStatistics now = compact(store);
            check(store);
            assertThat(now.compaction().unmovableSegments()).isZero();
            assertThat(now.spaceBytes()).isLessThan(now.liveBytes() + 3 * LONG_SEGMENT);
        }
    }
}
