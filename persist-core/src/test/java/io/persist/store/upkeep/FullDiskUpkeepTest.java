package io.persist.store.upkeep;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogFullException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a full disk a store makes space of what was removed, by itself and without a new checkpoint. */
class FullDiskUpkeepTest {

    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final byte[] VALUE = new byte[1000];
    private static final int PER_SEGMENT = SEGMENT_LENGTH / VALUE.length;
    private static final int FEW = PER_SEGMENT / 8; // so many find space in half of the reserve
    private static final int SEGMENTS = 20;
    private static final int MANY = SEGMENTS * PER_SEGMENT;

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage checkpoints = new CrashableStorage();
    private final StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of("store"))
                    .segmentLength(SEGMENT_LENGTH)
                    .build())
            .checkpointMinLogBytes(SEGMENT_LENGTH)
            .checkpointPercent(1)
            .maxSpaceRatio(2)
            .build();

    private StoreEngine store;

    @BeforeEach
    void open() {
        store = new StoreOpener(config, null)
                .patience(new Patience(1_000_000, Long.MAX_VALUE))
                .open(log, checkpoints);
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(log.openHandles()).isZero();
    }

    private void put(String key) {
        store.single().put(bytes(key), VALUE, Durability.BUFFERED);
    }

    private void putMany(String prefix, int staysEach) {
        for (int i = 0; i < MANY; i++) {
            put((i % staysEach == 0 ? "stays-" : "goes-") + prefix + i);
        }
    }

    /** Segments below the fallback and behind it; then nothing more fits, nor does a checkpoint, which is due. */
    private void fill(int staysEach, int staysEachBehind) {
        for (int i = 0; i < FEW; i++) {
            put("stays-" + i); // so the oldest segment has more than the others
        }
        putMany("a", staysEach);
        putMany("b", staysEach);
        store.upkeep().compact(0); // which writes two checkpoints: all of that lies below the fallback
        checkpoints.fillUp();
        putMany("c", staysEachBehind);
        log.fillUp();
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> {
            for (int i = 0; ; i++) {
                put("goes-d" + i);
            }
        });
        long failures = store.statistics().checkpoint().failures();
        Await.until(
                "a checkpoint finds no space",
                () -> store.statistics().checkpoint().failures() > failures);
    }

    private void removeWhatGoes() {
        store.single().removeRange(KeyRange.prefix(bytes("goes-")), Durability.BUFFERED);
    }

    private void awaitPut(String key) {
        Await.until("there is space", () -> {
            try {
                put(key);
                return true;
            } catch (LogFullException e) {
                return false;
            }
        });
    }

    /** No segment is empty: each has a value that is moved. */
    @Test
    void shouldMoveWhatIsLeftOfTheOldestSegments() {
        fill(PER_SEGMENT / 2, PER_SEGMENT / 2);
        removeWhatGoes();
        for (int i = 0; i < MANY / 2; i++) {
            awaitPut("more-" + i);
        }
        assertThat(store.statistics().compaction().movedBytes()).isPositive();
        for (int i = 0; i < MANY; i += PER_SEGMENT / 2) {
            assertThat(store.single().get(bytes("stays-a" + i)))
                    .as("number " + i)
                    .isNotNull();
        }
    }

    /** An empty segment waits for a block for its placeholder, or until it is the oldest; all else is not due. */
    @Test
    void shouldMoveWhatKeepsEmptySegmentsFromGoing() {
        fill(MANY, 1);
        removeWhatGoes();
        for (int i = 0; i < MANY / 2; i++) {
            awaitPut("more-" + i);
        }
        assertThat(store.single().get(bytes("stays-0"))).isNotNull();
    }
}
