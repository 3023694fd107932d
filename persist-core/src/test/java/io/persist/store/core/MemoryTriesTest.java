package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.IndexFullException;
import io.persist.index.KeyIndex;
import io.persist.index.read.IndexSnapshot;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller that finds no memory in the index, while another thread lets it have some. */
class MemoryTriesTest {

    private static final int KEYS = 3_000;
    private static final int RANGES = 20;

    private final CrashableStorage storage = new CrashableStorage();
    private final List<IndexSnapshot> snapshots = new ArrayList<>();
    private final Memory memory = new Memory();
    private StoreEngine store;

    /** What becomes of a caller's wish: here the memory comes of snapshots that another thread closes. */
    private final class Memory implements CommitListener {

        private boolean isThere;
        private boolean isTold;
        private int wishes;

        @Override
        public void committed(long end) {
            // Nobody writes checkpoints.
        }

        @Override
        public boolean freeMemory() {
            wishes++;
            if (isThere) {
                closeSnapshots();
            }
            return isTold;
        }
    }

    @BeforeEach
    void open() {
        open(1 << 20);
    }

    private void open(long indexMemoryBytes) {
        StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of("store"))
                        .segmentLength(1 << 20)
                        .build())
                .indexMemoryBytes(indexMemoryBytes)
                .maxSpaceRatio(0)
                .build();
        store = new StoreOpener(config, null).open(storage, storage);
        for (int i = 0; i < KEYS; i++) {
            put(i);
        }
        store.upkeep().checkpoint();
        store.core().listen(memory);
        Await.until("nobody writes one more", () -> store.core().ask(store.upkeep()::isWaiting));
        openSnapshot();
    }

    /** Whatever of the index changes from now on is copied. */
    private void openSnapshot() {
        store.core().lock();
        snapshots.add(store.core().state().index().snapshot());
        store.core().unlock();
    }

    /** Until a put finds none: each copies a node that the snapshot needs. It leaves {@code spared} alone. */
    private void fillMemory(Set<Integer> spared) {
        for (int i = 0; memory.wishes == 0; i++) {
            try {
                if (!spared.contains(i % KEYS)) {
                    put(i % KEYS);
                }
            } catch (IndexFullException full) {
                assertThat(full).hasMessageContaining("close snapshots");
            }
        }
        assertThat(memory.wishes).as("in vain, and once more").isEqualTo(2);
        memory.wishes = 0;
    }

    @AfterEach
    void close() {
        closeSnapshots();
        store.close();
    }

    private void closeSnapshots() {
        store.core().lock();
        snapshots.forEach(IndexSnapshot::close);
        snapshots.clear();
        store.core().unlock();
    }

    /** 100 bytes, so that there are few in a node. */
    private static byte[] key(int number) {
        byte[] key = new byte[100];
        new Random(number).nextBytes(key);
        return key;
    }

    private void put(int number) {
        store.single().put(key(number), new byte[10], Durability.BUFFERED);
    }

    /** What was in memory for the put that was refused need not stay: so it may not be the first one. */
    private void putUntilItWishes() {
        for (int i = 0; memory.wishes == 0; i++) {
            put(i % KEYS);
        }
    }

    /** As a checkpoint does that ends between the try and the look whether there is anything to write. */
    @Test
    void shouldTryOnceMoreIfMemoryWasFreedMeanwhile() {
        fillMemory(Set.of());
        memory.isThere = true;
        putUntilItWishes();
        assertThat(memory.wishes).isEqualTo(1);
    }

    /** As the background does that gets what another store has given back. */
    @Test
    void shouldNotGiveUpAsLongAsAnotherThreadGetsMemory() {
        store.close();
        open(16 << 20);
        KeyIndex index = store.core().state().index();
        MemoryTries tries = new MemoryTries(store.core());
        IndexFullException refusal = new IndexFullException("refused", null);
        int number = KEYS;
        for (int i = 0; i < 4; i++) {
            for (long before = index.memoryBytes(); index.memoryBytes() == before; number++) {
                put(number);
            }
            index.frames().addSpare();
            tries.freeMemory(refusal);
        }
        tries.freeMemory(refusal);
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> tries.freeMemory(refusal));
    }

    @Test
    void shouldGiveUpIfMemoryIsNeverThere() {
        fillMemory(Set.of());
        memory.isTold = true;
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(this::putUntilItWishes);
        assertThat(memory.wishes).isEqualTo(8);
    }

    /** Each of them lies in a leaf of its own, which is copied. */
    @Test
    void shouldFreeMemoryForRangesThatWereRemovedBefore() {
        List<Integer> byKey = IntStream.range(0, KEYS)
                .boxed()
                .sorted((a, b) -> Arrays.compareUnsigned(key(a), key(b)))
                .toList();
        Set<Integer> removed = IntStream.range(0, RANGES)
                .mapToObj(i -> byKey.get(i * KEYS / RANGES))
                .collect(Collectors.toSet());
        new HeldSettler(store)
                .publish(staged -> removed.forEach(number -> staged.removeRange(KeyRange.prefix(key(number)))));
        fillMemory(removed);
        openSnapshot();
        memory.isThere = true;
        assertThat(store.single().removeRange(KeyRange.prefix(key(byKey.get(0))), Durability.BUFFERED))
                .as("it was there")
                .isFalse();
        assertThat(memory.wishes).isEqualTo(1);
        assertThat(store.lookups().size()).isEqualTo(KEYS - RANGES);
    }
}
