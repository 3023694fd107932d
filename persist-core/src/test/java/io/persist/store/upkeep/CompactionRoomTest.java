package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The index is larger than its memory. Each move changes a leaf: compaction has them written, and goes on. */
class CompactionRoomTest {

    private static final int KEYS = 8_000;
    private static final int SEGMENT_LENGTH = 256 << 10;
    private static final int INDEX_MEMORY = 1 << 20;
    private static final int ONE_IN = 4;

    /** All but the last one lie below both checkpoints. */
    private static final int SEGMENTS = 6;

    private static final byte[] VALUE = new byte[100];
    private static final byte[] NEW_VALUE = new byte[1];

    private final CrashableStorage storage = new CrashableStorage();

    private static StoreConfig.Builder config() {
        return StoreConfig.builder(LogConfig.builder(Path.of("log"))
                        .segmentLength(SEGMENT_LENGTH)
                        .build())
                .checkpointPercent(0)
                .compactionBytesPerSecond(1L << 40)
                .maxSpaceRatio(0);
    }

    private StoreEngine open(StoreConfig.Builder config) {
        return new StoreOpener(config.build(), null)
                .patience(new Patience(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2)) // a failure is the end
                .open(storage, storage);
    }

    /** In no order, so that what lies in a segment lies in leaves all over the index. */
    private static byte[] key(int number) {
        byte[] key = new byte[100];
        new Random(number).nextBytes(key);
        return key;
    }

    /** All values, and then some of them once more: so there is some space in each segment to be given back. */
    private void fill() {
        try (StoreEngine store = open(config())) {
            for (int i = 0; i < KEYS; i++) {
                store.single().put(key(i), VALUE, Durability.BUFFERED);
            }
            for (int i = 0; i < KEYS; i += ONE_IN) {
                store.single().put(key(i), NEW_VALUE, Durability.BUFFERED);
            }
            store.upkeep().compact(0); // writes two checkpoints, and moves nothing
            assertThat(store.statistics().index().nodes() * 4096).isGreaterThan(INDEX_MEMORY);
        }
    }

    private static long vacated(StoreEngine store) {
        return store.statistics().compaction().vacatedSegments();
    }

    private static void assertAllThere(StoreEngine store) {
        for (int i = 0; i < KEYS; i++) {
            assertThat(store.single().getBytes(key(i))).isEqualTo(i % ONE_IN == 0 ? NEW_VALUE : VALUE);
        }
    }

    @Test
    void shouldCompactByHand() {
        fill();
        try (StoreEngine store = open(config().indexMemoryBytes(INDEX_MEMORY))) {
            long given = store.upkeep().compact(Long.MAX_VALUE);
            StoreStatistics now = store.statistics();
            assertThat(given).isEqualTo(now.compaction().vacatedSegments() * SEGMENT_LENGTH);
            assertThat(vacated(store)).isGreaterThanOrEqualTo(SEGMENTS);
            assertThat(now.compaction().movedBytes()).as("each value once").isLessThan(2 * now.liveBytes());
            assertThat(store.upkeep().compact(Long.MAX_VALUE)).isLessThan(2L * SEGMENT_LENGTH);
            assertAllThere(store);
        }
    }

    @Test
    void shouldCompactInTheBackground() {
        fill();
        StoreConfig.Builder config = config().indexMemoryBytes(INDEX_MEMORY).maxSpaceRatio(1.1);
        try (StoreEngine store = open(config)) {
            Await.until(
                    "all that it may touch is compact, or it has failed",
                    () -> vacated(store) >= SEGMENTS
                            || !store.statistics().compaction().lastFailure().isEmpty());
            assertThat(store.statistics().compaction().lastFailure()).isEmpty();
            assertAllThere(store);
        }
    }
}
