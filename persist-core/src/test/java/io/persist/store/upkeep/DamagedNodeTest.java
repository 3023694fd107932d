package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compaction of a store of whose index a node cannot be read, which says nothing of most segments. */
@Timeout(240)
class DamagedNodeTest {

    private static final int KEYS = 4000;

    private final CrashableStorage storage = new CrashableStorage();

    private static StoreConfig config(double maxSpaceRatio) {
        return StoreConfig.builder(LogConfig.builder(Path.of("store"))
                        .segmentLength(16 << 10)
                        .build())
                .checkpointPercent(0)
                .maxSpaceRatio(maxSpaceRatio)
                .build();
    }

    private static String key(int number) {
        return "key " + (10_000 + number);
    }

    /** In each segment of the first pass one key of eight is still needed. */
    private String write() throws IOException {
        try (StoreLogger store = StoreLogger.open(config(0), storage, storage)) {
            for (int i = 0; i < KEYS; i++) {
                Texts.put(store, key(i), "a value that takes some space, the first of its key, " + i);
            }
            for (int i = 0; i < KEYS; i++) {
                if (i % 8 != 0) {
                    Texts.put(store, key(i), "a later one");
                }
            }
            store.compact(1); // writes two checkpoints, neither of which needs the other
        }
        String newest = CheckpointName.of(new Checkpoints(storage).list().get(0));
        byte[] content = storage.content(newest);
        content[(int) CheckpointDirectory.nodeOffset(1) + 100] ^= 1; // the second leaf
        storage.replace(newest, content);
        return newest;
    }

    @Test
    void shouldEmptyTheSegmentsThatItSaysNothingOf() throws IOException {
        String checkpoint = write();
        try (StoreLogger store = StoreLogger.open(config(1.1), storage, storage)) {
            Await.until(
                    "other segments are emptied",
                    () -> store.statistics().compaction().vacatedSegments() > 5);
            Await.until(
                    "it is said what is damaged",
                    () -> store.statistics().compaction().lastFailure().contains(checkpoint));
            assertThat(store.statistics().compaction().damagedSegments()).isZero();
            int damaged = 0;
            for (int i = 0; i < KEYS; i++) {
                String value;
                try {
                    value = Texts.get(store, key(i));
                } catch (CorruptLogException e) {
                    assertThat(e).hasMessageContaining(checkpoint);
                    damaged++;
                    continue;
                }
                assertThat(value)
                        .isEqualTo(
                                i % 8 == 0
                                        ? "a value that takes some space, the first of its key, " + i
                                        : "a later one");
            }
            assertThat(damaged).isBetween(1, KEYS / 4);
        }
    }
}
