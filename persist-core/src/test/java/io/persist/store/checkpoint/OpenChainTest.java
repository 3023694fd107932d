package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.StoreSnapshot;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of the checkpoints those files are open that the newest chain has, however old the snapshots are that are open. */
class OpenChainTest {

    private static final int KEYS = 40_000;

    /** Bytes of memory of which an index of these keys needs but a small part. */
    private static final long MUCH = 64 << 20;

    /** So many make more than one chain. */
    private static final int CHECKPOINTS = 2 * CheckpointChain.MAX_PARTS;

    private static final StoreConfig.Builder CONFIG = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(1 << 20).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0);

    private final Storage log = new CrashableStorage();
    private final CrashableStorage disk = new CrashableStorage();

    private StoreLogger open(long indexMemoryBytes) {
        return StoreLogger.open(CONFIG.indexMemoryBytes(indexMemoryBytes).build(), log, disk);
    }

    @AfterEach
    void checkHandles() {
        assertThat(disk.openHandles()).isZero();
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (1_000_000 + number));
    }

    @BeforeEach
    void putAll() {
        try (StoreLogger store = open(MUCH)) {
            for (int i = 0; i < KEYS; i++) {
                store.put(key(i), new byte[] {1});
            }
            store.checkpoint();
        }
    }

    /** Checkpoints while it is open; then it is read. */
    private void endSnapshot(StoreLogger store, StoreSnapshot snapshot) {
        for (int i = 0; i < CHECKPOINTS; i++) {
            store.put(key(i * 100), new byte[] {2});
            store.checkpoint();
            assertThat(disk.openHandles()).as("files, and a lock").isLessThanOrEqualTo(CheckpointChain.MAX_PARTS + 1);
        }
        int handles = disk.openHandles();
        assertThat(handles).isGreaterThan(1);
        for (int i = 0; i < KEYS; i++) {
            checkValue(i, snapshot.getBytes(key(i)), 1);
            checkValue(i, store.getBytes(key(i)), i % 100 == 0 && i < CHECKPOINTS * 100 ? 2 : 1);
        }
        snapshot.close();
        assertThat(disk.openHandles()).isEqualTo(handles);
    }

    private static void checkValue(int number, byte @Nullable [] value, int expected) {
        if (value == null || value.length != 1 || value[0] != expected) {
            throw new AssertionError("key " + number + " has not " + expected + ": " + Arrays.toString(value));
        }
    }

    @Test
    void shouldCloseReplacedChainsWhileMemoryIsScarce() {
        try (StoreLogger store = open(1 << 20)) {
            endSnapshot(store, store.snapshot());
            assertThat(store.statistics().index().evictedNodes()).isPositive();
        }
    }

    /** Most of its nodes have not been read yet. */
    @Test
    void shouldCloseReplacedChainsWhileNodesAreOnlyThere() {
        try (StoreLogger store = open(MUCH)) {
            endSnapshot(store, store.snapshot());
            assertThat(store.statistics().index().evictedNodes()).isZero();
        }
    }

    /** No more is read from the files that it was opened from, and nobody else has a reason to keep them. */
    @Test
    void shouldCloseReplacedChainsWhenAllIsInMemory() {
        try (StoreLogger store = open(MUCH)) {
            for (int i = 0; i < 2; i++) {
                store.put(key(i), new byte[] {1});
                store.checkpoint();
            }
        }
        try (StoreLogger store = open(MUCH)) {
            for (int i = 0; i < KEYS; i++) {
                checkValue(i, store.getBytes(key(i)), 1);
            }
            assertThat(disk.openHandles()).as("three files, and a lock").isEqualTo(4);
            for (int i = 0; i < 2; i++) {
                store.compact(0); // the second one of its checkpoints has all
            }
            assertThat(disk.openHandles()).as("a file, and a lock").isEqualTo(2);
            assertThat(store.getBytes(key(0))).containsExactly(1);
        }
    }
}
